#pragma once

#include <memory>

#include "nn/attention/attention.h"
#include "nn/residual.h"

namespace heed::nn {

/// What a decoder layer reads. Its self-attention is causal: where texts are padded at their ends,
/// a real position sees no padding, so lengths of `x` are not needed.
struct DecoderLayerInput {
  torch::Tensor x;                         // [B, Tt, D]
  torch::Tensor allowed{};                 // bool [Tt, Tt], of self-attention; undefined = all
  torch::Tensor memory{};                  // [Bm, Ts, D], or undefined where a cache remembers it
  torch::Tensor memory_lengths{};          // int64 [Bm]; undefined = all
  AttentionCache* cache = nullptr;         // of the self-attention, extended
  AttentionCache* memory_cache = nullptr;  // of the cross attention
  AttentionParts* self_parts = nullptr;    // filled where given
  AttentionParts* cross_parts = nullptr;   // filled where given
  const Noise* noise = nullptr;
};

/// Causal self-attention, cross attention, feed-forward, each with its way around (Vaswani et al.,
/// 2017, section 3.1).
class DecoderLayerImpl final : public torch::nn::Module {
 public:
  DecoderLayerImpl(const LayerOptions& options, std::shared_ptr<Attention> self_attention,
                   std::shared_ptr<Attention> cross_attention);

  /// -> [B, Tt, D]
  torch::Tensor forward(const DecoderLayerInput& input) const;

  /// Caches of this layer: see Attention.
  std::unique_ptr<AttentionCache> start(int64_t max_len, const CacheOptions& options) const;
  std::unique_ptr<AttentionCache> remember(const torch::Tensor& memory,
                                           const torch::Tensor& lengths,
                                           const CacheOptions& options) const;

 private:
  LayerOptions options_;
  std::shared_ptr<Attention> self_attn_;
  std::shared_ptr<Norm> self_attn_norm_;
  Dropout self_attn_dropout_{nullptr};
  std::shared_ptr<Attention> cross_attn_;
  std::shared_ptr<Norm> cross_attn_norm_;
  Dropout cross_attn_dropout_{nullptr};
  FeedForward feed_forward_{nullptr};
  std::shared_ptr<Norm> feed_forward_norm_;
  Dropout feed_forward_dropout_{nullptr};
};
TORCH_MODULE(DecoderLayer);

}  // namespace heed::nn
