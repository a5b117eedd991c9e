#pragma once

#include <memory>

#include "nn/attention/attention.h"
#include "nn/residual.h"

namespace heed::nn {

/// What an encoder layer reads.
struct EncoderLayerInput {
  torch::Tensor x;  // [B, T, D]
  Visible visible{};
  AttentionParts* parts = nullptr;  // filled where given
  const Noise* noise = nullptr;
};

/// Self-attention, then feed-forward, each with its way around (Vaswani et al., 2017, section 3.1).
class EncoderLayerImpl final : public torch::nn::Module {
 public:
  EncoderLayerImpl(const LayerOptions& options, std::shared_ptr<Attention> self_attention);

  /// -> [B, T, D]
  torch::Tensor forward(const EncoderLayerInput& input) const;

 private:
  LayerOptions options_;
  std::shared_ptr<Attention> self_attn_;
  std::shared_ptr<Norm> self_attn_norm_;
  Dropout self_attn_dropout_{nullptr};
  FeedForward feed_forward_{nullptr};
  std::shared_ptr<Norm> feed_forward_norm_;
  Dropout feed_forward_dropout_{nullptr};
};
TORCH_MODULE(EncoderLayer);

}  // namespace heed::nn
