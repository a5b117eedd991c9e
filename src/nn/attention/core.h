#pragma once

#include <optional>

#include "nn/attention/attention.h"
#include "nn/attention/kept_positions.h"
#include "nn/attention/score_bias.h"

namespace heed::nn {

/// What a core reads: projected, and split into heads by the module around it.
struct CoreInput {
  torch::Tensor query;  // [B, H, Tq, Dk]
  torch::Tensor key;    // [B, H, Tk, Dk]
  torch::Tensor value;  // [B, H, Tk, Dv]
  Visible visible{};
  int64_t past = 0;  // position of the first query; keys stand at 0..Tk-1
  AttentionParts* parts = nullptr;
  const Noise* noise = nullptr;
  const ScoreBias* bias = nullptr;      // added to the scaled scores, before what is hidden
  AttentionCache* cache = nullptr;      // the core's own, where it brings one
  std::optional<KeptPositions> kept{};  // where keys stand that a cache kept, if not at 0..Tk-1;
                                        // visible.global then marks positions, not keys
};

/// The part of attention in which most variants differ: how queries are scored against keys, and
/// which keys a pattern leaves in. A module, because some bring parameters (a relative bias).
class AttentionCore : public torch::nn::Module {
 public:
  /// -> context [B, H, Tq, Dv], in the type of `value`
  virtual torch::Tensor forward(const CoreInput& input) = 0;

  /// Whether a head is nothing but its queries, keys and values: no parameters, no pattern of its
  /// own. Then query heads that share keys may come as more queries of one head.
  virtual bool heads_alike() const { return false; }

  /// Caches: see Attention. Keys and values, unless a core keeps something else; `forward` then
  /// gets its own cache with the new keys and values only, and extends it.
  virtual std::unique_ptr<AttentionCache> start(int64_t max_len, const CacheOptions& options) const;

  /// Whether the core itself extends a cache like this one.
  virtual bool owns(const AttentionCache&) const { return false; }

  /// key [Bm, H, Tk, Dk]   value [Bm, H, Tk, Dv]   lengths int64 [Bm] or undefined
  virtual std::unique_ptr<AttentionCache> remember(const torch::Tensor& key,
                                                   const torch::Tensor& value,
                                                   const torch::Tensor& lengths,
                                                   const CacheOptions& options) const;
};

}  // namespace heed::nn
