#include "nn/decoder_layer.h"

#include <utility>

namespace heed::nn {

DecoderLayerImpl::DecoderLayerImpl(const LayerOptions& options,
                                   std::shared_ptr<Attention> self_attention,
                                   std::shared_ptr<Attention> cross_attention)
    : norm_first_(options.norm_first) {
  const LayerNormOptions norm{.d_model = options.d_model};
  self_attn_ = register_module("self_attn", std::move(self_attention));
  self_attn_norm_ = register_module("self_attn_layer_norm", LayerNorm(norm));
  self_attn_dropout_ = register_module("self_attn_dropout", Dropout(options.dropout));
  cross_attn_ = register_module("cross_attn", std::move(cross_attention));
  cross_attn_norm_ = register_module("cross_attn_layer_norm", LayerNorm(norm));
  cross_attn_dropout_ = register_module("cross_attn_dropout", Dropout(options.dropout));
  feed_forward_ = register_module("feed_forward", FeedForward(FeedForwardOptions{
                                                      .d_model = options.d_model,
                                                      .d_ff = options.d_ff,
                                                      .dropout = options.dropout,
                                                      .activation = options.activation,
                                                  }));
  feed_forward_norm_ = register_module("feed_forward_layer_norm", LayerNorm(norm));
  feed_forward_dropout_ = register_module("feed_forward_dropout", Dropout(options.dropout));
}

torch::Tensor DecoderLayerImpl::forward(const DecoderLayerInput& input) const {
  const auto* noise = input.noise;
  const auto attend_self = [&](const torch::Tensor& x) {
    return self_attn_->forward({.query = x,
                                .visible = {.causal = true},
                                .cache = input.cache,
                                .parts = input.self_parts,
                                .noise = noise});
  };
  const auto attend_memory = [&](const torch::Tensor& x) {
    return cross_attn_->forward({.query = x,
                                 .memory = input.memory,
                                 .visible = {.lengths = input.memory_lengths},
                                 .cache = input.memory_cache,
                                 .parts = input.cross_parts,
                                 .noise = noise});
  };
  const auto feed_forward = [&](const torch::Tensor& x) {
    return feed_forward_->forward(x, noise);
  };
  auto x = residual(input.x, self_attn_norm_, self_attn_dropout_, norm_first_, noise, attend_self);
  x = residual(x, cross_attn_norm_, cross_attn_dropout_, norm_first_, noise, attend_memory);
  return residual(x, feed_forward_norm_, feed_forward_dropout_, norm_first_, noise, feed_forward);
}

std::unique_ptr<AttentionCache> DecoderLayerImpl::start(int64_t rows, int64_t max_len,
                                                        torch::ScalarType kept) const {
  return self_attn_->start(rows, max_len, kept);
}

std::unique_ptr<AttentionCache> DecoderLayerImpl::remember(const torch::Tensor& memory,
                                                           const torch::Tensor& lengths) const {
  return cross_attn_->remember(memory, lengths);
}

}  // namespace heed::nn
