#pragma once

#include <memory>

#include "model/build.h"
#include "model/transformer_decoder.h"
#include "model/transformer_encoder.h"
#include "nn/linear.h"

namespace heed::model {

/// Transformer encoder-decoder (Vaswani et al., 2017), https://arxiv.org/abs/1706.03762. Names of
/// its parameters:
///
///   embed_tokens.weight                                     source and target, "tie": "all"
///   encoder.embed_tokens.weight, decoder.embed_tokens.weight    otherwise
///   encoder.layers.N.self_attn.{q,k,v,out}_proj, decoder.layers.N.{self_attn,cross_attn}....
///   ....self_attn.score_bias.weight     relative positions
///   ....core....                        what the attention's scores learn
///   ....feed_forward.{fc1,fc2}, ....{self_attn,cross_attn,feed_forward}_layer_norm
///   ....feed_forward.gate               SwiGLU
///   {encoder,decoder}.layer_norm        pre-norm
///   {encoder,decoder}.input.positions.weight    learned positions
///   output_projection.weight            "tie": "none"; otherwise the target embedding's rows
class TransformerImpl final : public EncoderDecoder {
 public:
  /// Throws ConfigError where config and sizes don't fit.
  TransformerImpl(const config::Model& config, const Sizes& sizes);

  Memory encode(const Sequences& source) override;
  torch::Tensor decode(const Sequences& target_in, const Memory& memory) override;
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
  TransformerEncoder encoder_{nullptr};
  TransformerDecoder decoder_{nullptr};
};

}  // namespace heed::model
