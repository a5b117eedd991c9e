#include "nn/encoder_layer.h"

#include <utility>

namespace heed::nn {

EncoderLayerImpl::EncoderLayerImpl(const LayerOptions& options,
                                   std::shared_ptr<Attention> self_attention)
    : options_(options) {
  const auto norm = options.norm_options();
  self_attn_ = register_module("self_attn", std::move(self_attention));
  self_attn_norm_ = register_module("self_attn_layer_norm", make_norm(norm));
  self_attn_dropout_ = register_module("self_attn_dropout", Dropout(options.dropout));
  feed_forward_ = register_module("feed_forward", FeedForward(options.feed_forward_options()));
  feed_forward_norm_ = register_module("feed_forward_layer_norm", make_norm(norm));
  feed_forward_dropout_ = register_module("feed_forward_dropout", Dropout(options.dropout));
}

torch::Tensor EncoderLayerImpl::forward(const EncoderLayerInput& input) const {
  const auto* noise = input.noise;
  const auto attend = [&](const torch::Tensor& x) {
    return self_attn_->forward(
        {.query = x, .visible = input.visible, .parts = input.parts, .noise = noise});
  };
  const auto feed_forward = [&](const torch::Tensor& x) {
    return feed_forward_->forward(x, noise);
  };
  const auto x = residual(input.x, *self_attn_norm_, self_attn_dropout_, options_, noise, attend);
  return residual(x, *feed_forward_norm_, feed_forward_dropout_, options_, noise, feed_forward);
}

}  // namespace heed::nn
