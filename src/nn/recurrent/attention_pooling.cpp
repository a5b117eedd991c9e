#include "nn/recurrent/attention_pooling.h"

#include <limits>

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "nn/precision.h"

namespace heed::nn {

AttentionPoolingImpl::AttentionPoolingImpl(const AttentionPoolingOptions& options) {
  const int64_t d_model = options.d_model;
  key_proj_ = register_module(
      "key_proj", Linear(LinearOptions{.in = d_model, .out = d_model, .init = options.init}));
  auto row = torch::empty({1, d_model});
  initialize(row, options.init);
  score_weight_ = register_parameter("score_weight", row.squeeze(0));
  dropout_ = register_module("dropout", Dropout(options.dropout));
}

torch::Tensor AttentionPoolingImpl::forward(const torch::Tensor& x, const torch::Tensor& lengths,
                                            AttentionParts* parts, const Noise* noise) const {
  const auto keys = torch::tanh(widen(key_proj_->forward(x)));  // [B, T, D]
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  auto scores = torch::matmul(keys, score_weight_).unsqueeze(1);  // [B, 1, T]
  auto hidden = torch::Tensor();
  if (lengths.defined()) {
    const auto place = torch::arange(x.size(1), lengths.options());
    hidden = (place >= lengths.unsqueeze(1)).unsqueeze(1);  // [B, 1, T]
    scores = scores.masked_fill(hidden, -std::numeric_limits<double>::infinity());
  }
  auto weights = torch::softmax(scores, -1);
  if (hidden.defined()) weights = weights.masked_fill(hidden, 0.0);
  const auto values = widen(x);
  if (parts) {
    const auto query = score_weight_.expand({x.size(0), 1, 1, -1});  // [B, 1, 1, D]
    *parts = {query, keys.unsqueeze(1), values.unsqueeze(1), scores.unsqueeze(1),
              weights.unsqueeze(1)};
  }
  const auto kept = dropout_->on_weights(weights.unsqueeze(1), noise).squeeze(1);  // [B, 1, T]
  return torch::matmul(kept, values).squeeze(1);                                   // [B, D]
}

}  // namespace heed::nn
