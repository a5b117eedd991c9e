#pragma once

#include <memory>

#include "model/build.h"
#include "model/rnn_decoder.h"
#include "model/rnn_encoder.h"
#include "nn/linear.h"

namespace heed::model {

/// Recurrent encoder-decoder with attention (Bahdanau et al., 2015),
/// https://arxiv.org/abs/1409.0473. Names of its parameters:
///
///   embed_tokens.weight                                     source and target, "tie": "all"
///   encoder.embed_tokens.weight, decoder.embed_tokens.weight    otherwise
///   encoder.layers.N.{forward,backward}.{weight,bias}_{ih,hh},
///   decoder.layers.N.{weight,bias}_{ih,hh} decoder.attention.{query_proj,key_proj},
///   decoder.attention.score_weight decoder.bridge, decoder.feed, decoder.readout
///   output_projection.weight            "tie": "none"; otherwise the target embedding's rows
class RnnTranslatorImpl final : public EncoderDecoder {
 public:
  /// Throws ConfigError where config and sizes don't fit.
  RnnTranslatorImpl(const config::Model& config, const Sizes& sizes);

  Memory encode(const Sequences& source) override;
  torch::Tensor decode(const Sequences& target_in, const Memory& memory) override;

  /// A state has one size whatever was read, so there is room for any max_len. Throws ConfigError
  /// for options: there are no keys of its own tokens that it could forget or round.
  std::unique_ptr<DecoderState> start(const Memory& memory, int64_t max_len,
                                      const nn::CacheOptions& options = {}) override;
  torch::Tensor step(const torch::Tensor& ids, DecoderState& state) override;

  torch::Tensor output_weight() const override;
  torch::Tensor output_bias() const override { return {}; }
  torch::Tensor logits(const torch::Tensor& features) const override;

 private:
  int64_t pieces_;
  nn::Embedding target_embedding_{nullptr};
  nn::Linear output_projection_{nullptr};  // empty where tied
  RnnEncoder encoder_{nullptr};
  RnnDecoder decoder_{nullptr};
};

}  // namespace heed::model
