#include "nn/feed_forward.h"

namespace heed::nn {

FeedForwardImpl::FeedForwardImpl(const FeedForwardOptions& options)
    : activation_(options.activation) {
  fc1_ = register_module("fc1", Linear(LinearOptions{.in = options.d_model, .out = options.d_ff}));
  fc2_ = register_module("fc2", Linear(LinearOptions{.in = options.d_ff, .out = options.d_model}));
  dropout_ = register_module("dropout", Dropout(options.dropout));
}

torch::Tensor FeedForwardImpl::forward(const torch::Tensor& x, const Noise* noise) const {
  const auto hidden = fc1_->forward(x);  // [B, T, F]
  const auto active = activation_ == Activation::kRelu ? torch::relu(hidden) : torch::gelu(hidden);
  return fc2_->forward(dropout_->forward(active, noise));  // [B, T, D]
}

}  // namespace heed::nn
