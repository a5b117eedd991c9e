#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/decoder_state.h"
#include "model/trace.h"
#include "nn/noise.h"

namespace heed::model {

/// Ids of one side of a batch.
struct Sequences {
  torch::Tensor ids;                 // int64 [B, T]
  torch::Tensor lengths;             // int64 [B], on the CPU, special tokens counted
  const nn::Noise* noise = nullptr;  // null: no dropout
  Trace* trace = nullptr;            // filled where given
  bool recompute = false;            // layers keep nothing for the backward pass, and run again
  nn::CacheOptions caches{};         // a token of a target sees of those before it what such caches
                                     // would have kept
};

/// What the decoder reads: the source, encoded.
struct Memory {
  torch::Tensor features;  // [B, Ts, D]
  torch::Tensor lengths;   // int64 [B], on the device of `features`
};

/// A model that writes a target for a source. Returns features; it owns the output projection, and
/// the training objective fuses it with the loss.
class EncoderDecoder : public torch::nn::Module {
 public:
  virtual Memory encode(const Sequences& source) = 0;

  /// Teacher forcing: target_in ids [B, Tt] (BOS first) -> features [B, Tt, D]
  virtual torch::Tensor decode(const Sequences& target_in, const Memory& memory) = 0;

  /// A state for step-by-step decoding of at most `max_len` tokens, one hypothesis a memory row.
  virtual std::unique_ptr<DecoderState> start(const Memory& memory, int64_t max_len,
                                              const nn::CacheOptions& options = {}) = 0;

  /// The next token of every hypothesis: ids int64 [rows] -> features [rows, D]; extends `state`.
  virtual torch::Tensor step(const torch::Tensor& ids, DecoderState& state) = 0;

  /// The output projection: [V, D] and [V] or undefined. V is the number of pieces, without the
  /// padding rows of model.vocab_rows.
  virtual torch::Tensor output_weight() const = 0;
  virtual torch::Tensor output_bias() const = 0;

  /// features [..., D] -> logits [..., V]; a packed weight where the model is quantized
  virtual torch::Tensor logits(const torch::Tensor& features) const = 0;
};

}  // namespace heed::model
