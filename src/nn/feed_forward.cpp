#include "nn/feed_forward.h"

namespace heed::nn {

FeedForwardImpl::FeedForwardImpl(const FeedForwardOptions& options)
    : activation_(options.activation) {
  const auto& o = options;
  const LinearOptions widening{.in = o.d_model, .out = o.d_ff, .init = o.init};
  if (activation_ == Activation::kSwiglu) gate_ = register_module("gate", Linear(widening));
  fc1_ = register_module("fc1", Linear(widening));
  fc2_ =
      register_module("fc2", Linear(LinearOptions{.in = o.d_ff, .out = o.d_model, .init = o.init}));
  dropout_ = register_module("dropout", Dropout(o.dropout));
}

torch::Tensor FeedForwardImpl::forward(const torch::Tensor& x, const Noise* noise) const {
  return fc2_->forward(dropout_->forward(hidden(x), noise));  // [B, T, D]
}

/// -> [B, T, F]
torch::Tensor FeedForwardImpl::hidden(const torch::Tensor& x) const {
  switch (activation_) {
    case Activation::kRelu:
      return torch::relu(fc1_->forward(x));
    case Activation::kGelu:
      return torch::gelu(fc1_->forward(x));
    case Activation::kSwiglu:
      break;
  }
  return torch::silu(gate_->forward(x)) * fc1_->forward(x);
}

}  // namespace heed::nn
