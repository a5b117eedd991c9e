#pragma once

#include <memory>

#include "base/torch.h"
#include "nn/noise.h"

// The letters of every shape in this project:
//   B batch (Bm rows of memory, where hypotheses share them); T time (Tq query, Tk key, Ts source,
//   Tt target); H heads; D d_model; Dh depth of a head (Dk, Dv where key and value differ);
//   F d_ff; V vocabulary; N layers

namespace heed::nn {

// Members with an initializer may be left out; the compiler asks for the others.

/// What a query may see; the parts combine with `&`. Only a kernel that needs a mask makes one
/// (nn/mask.h), so a pattern never has to meet a [Tq, Tk] tensor.
struct Visible {
  torch::Tensor lengths{};  // int64 [Bm], real keys of each row; undefined = all
  bool causal = false;      // the query at position p sees keys 0..p
  torch::Tensor allowed{};  // bool, broadcasts to [B, H, Tq, Tk], true = may attend
  torch::Tensor global{};   // bool [Bm, Tk], sees and is seen by all; read by sparse patterns only
};

/// How much of the past a cache keeps, and in what form. Running sums keep all of it in fp32.
struct CacheOptions {
  enum class Precision { kSame, kBf16, kInt8 };
  int64_t max = 0;  // keys of self-attention: the first few and the most recent; 0: all
  Precision precision = Precision::kSame;  // kSame: as computed
};

/// What one layer keeps between decoding steps. Each variant brings its own: keys and values in
/// place, the ring of a window, running sums of linear attention, int8 with scales.
class AttentionCache {
 public:
  virtual ~AttentionCache() = default;

  /// Position of the next query; 0 for a remembered memory, where queries have none.
  virtual int64_t past() const = 0;

  /// Keeps these rows, in this order; a row may come twice. rows: int64 [any], hypotheses where the
  /// cache grows, memory rows where it remembers.
  virtual void select(const torch::Tensor& rows) = 0;
};

/// For attend, explain and verify: filled only when asked for, off the fast path. As scored, all
/// heads apart.
struct AttentionParts {
  torch::Tensor query;    // [B, H, Tq, Dk]
  torch::Tensor key;      // [B, H, Tk, Dk]
  torch::Tensor value;    // [B, H, Tk, Dv]
  torch::Tensor scores;   // [B, H, Tq, Tk], fp32 or wider, minus infinity where hidden
  torch::Tensor weights;  // [B, H, Tq, Tk], fp32 or wider, before dropout
};

struct AttentionInput {
  torch::Tensor query;     // [B, Tq, D]
  torch::Tensor memory{};  // [Bm, Tk, D]; undefined = query, or what `cache` remembers
  Visible visible{};
  AttentionCache* cache = nullptr;  // read, and extended in place; queries start at cache->past()
  AttentionParts* parts = nullptr;  // filled where given
  const Noise* noise = nullptr;     // of dropout; null drops nothing
};

/// The contract of every variant. A module keeps parameters only: caches and visibility come in
/// with the input, so one module serves any number of sequences and threads. What is hidden changes
/// nothing, whatever finite numbers it holds.
///
/// Without a cache the last query stands at the last key, so Tq may be below Tk. B = n * Bm: n
/// neighboring hypotheses share a memory row, and then `visible` holds lengths only.
class Attention : public torch::nn::Module {
 public:
  /// -> context [B, Tq, D]. A query that may see nothing gets zero context before the output
  /// projection, zero weights and finite gradients. Throws c10::Error where shapes disagree.
  virtual torch::Tensor forward(const AttentionInput& input) = 0;

  /// A cache for self-attention with room for `max_len` tokens of any number of hypotheses; the
  /// first tokens decide how many.
  virtual std::unique_ptr<AttentionCache> start(int64_t max_len,
                                                const CacheOptions& options) const = 0;

  /// A cache for cross attention: memory [Bm, Tk, D] is projected once and its lengths (int64 [Bm]
  /// or undefined) are kept with it.
  virtual std::unique_ptr<AttentionCache> remember(const torch::Tensor& memory,
                                                   const torch::Tensor& lengths,
                                                   const CacheOptions& options) const = 0;
};

}  // namespace heed::nn
