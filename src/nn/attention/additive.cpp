#include "nn/attention/additive.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "nn/attention/explicit_attention.h"
#include "nn/precision.h"

namespace heed::nn {
namespace {

constexpr int64_t kNumbersAtOnce = int64_t{1} << 22;  // numbers under tanh

/// Uniform within sqrt(6 / (in + out)) (Glorot & Bengio, 2010, equation 16).
torch::Tensor glorot_heads(int64_t heads, int64_t in, int64_t out) {
  const double bound = std::sqrt(6.0 / static_cast<double>(in + out));
  return torch::empty({heads, in, out}).uniform_(-bound, bound);
}

}  // namespace

AdditiveImpl::AdditiveImpl(const AdditiveOptions& options) {
  const auto [heads, depth, asked, dropout] = options;
  const int64_t hidden = asked == 0 ? depth : asked;
  query_weight_ = register_parameter("query_weight", glorot_heads(heads, depth, hidden));
  key_weight_ = register_parameter("key_weight", glorot_heads(heads, depth, hidden));
  bias_ = register_parameter("bias", torch::zeros({heads, 1, hidden}));
  score_weight_ = register_parameter("score_weight", glorot_heads(heads, hidden, 1));
  dropout_ = register_module("dropout", Dropout(dropout));
}

torch::Tensor AdditiveImpl::forward(const CoreInput& input) {
  check_depths(input);
  return attend_explicitly(input, scores(input.query, input.key), dropout_);
}

torch::Tensor AdditiveImpl::scores(const torch::Tensor& query, const torch::Tensor& key) const {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const auto from_query = torch::matmul(widen(query), query_weight_) + bias_;  // [B, H, Tq, hidden]
  const auto from_key = torch::matmul(widen(key), key_weight_).unsqueeze(2);   // [B, H, 1, Tk, ...]

  const int64_t each = std::max<int64_t>(from_key.numel(), 1);
  const int64_t at_once = std::max<int64_t>(kNumbersAtOnce / each, 1);
  std::vector<torch::Tensor> rows;
  for (const auto& some : from_query.split(at_once, 2)) {
    const auto hidden = torch::tanh(some.unsqueeze(3) + from_key);  // [B, H, some, Tk, hidden]
    const auto weight = score_weight_.unsqueeze(1);                 // [H, 1, hidden, 1]
    rows.push_back(torch::matmul(hidden, weight).squeeze(-1));      // [B, H, some, Tk]
  }
  return rows.size() == 1 ? rows.front() : torch::cat(rows, 2);
}

}  // namespace heed::nn
