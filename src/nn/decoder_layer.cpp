#include "nn/decoder_layer.h"

#include <utility>

namespace heed::nn {

DecoderLayerImpl::DecoderLayerImpl(const LayerOptions& options,
                                   std::shared_ptr<Attention> self_attention,
                                   std::shared_ptr<Attention> cross_attention)
    : options_(options) {
  const auto norm = options.norm_options();
  self_attn_ = register_module("self_attn", std::move(self_attention));
  self_attn_norm_ = register_module("self_attn_layer_norm", make_norm(norm));
  self_attn_dropout_ = register_module("self_attn_dropout", Dropout(options.dropout));
  cross_attn_ = register_module("cross_attn", std::move(cross_attention));
  cross_attn_norm_ = register_module("cross_attn_layer_norm", make_norm(norm));
  cross_attn_dropout_ = register_module("cross_attn_dropout", Dropout(options.dropout));
  feed_forward_ = register_module("feed_forward", FeedForward(options.feed_forward_options()));
  feed_forward_norm_ = register_module("feed_forward_layer_norm", make_norm(norm));
  feed_forward_dropout_ = register_module("feed_forward_dropout", Dropout(options.dropout));
}

torch::Tensor DecoderLayerImpl::forward(const DecoderLayerInput& input) const {
  const auto* noise = input.noise;
  const auto attend_self = [&](const torch::Tensor& x) {
    return self_attn_->forward({.query = x,
                                .visible = {.causal = true, .allowed = input.allowed},
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
  auto x = residual(input.x, *self_attn_norm_, self_attn_dropout_, options_, noise, attend_self);
  x = residual(x, *cross_attn_norm_, cross_attn_dropout_, options_, noise, attend_memory);
  return residual(x, *feed_forward_norm_, feed_forward_dropout_, options_, noise, feed_forward);
}

std::unique_ptr<AttentionCache> DecoderLayerImpl::start(int64_t max_len,
                                                        const CacheOptions& options) const {
  return self_attn_->start(max_len, options);
}

std::unique_ptr<AttentionCache> DecoderLayerImpl::remember(const torch::Tensor& memory,
                                                           const torch::Tensor& lengths,
                                                           const CacheOptions& options) const {
  return cross_attn_->remember(memory, lengths, options);
}

}  // namespace heed::nn
