#include "nn/attention/top_k.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/attention/explicit_attention.h"
#include "nn/mask.h"

namespace heed::nn {
namespace {

/// The k largest of each row, the first of equal ones: bool like scores.
torch::Tensor best_keys(const torch::Tensor& scores, int64_t k) {
  const auto worst = std::get<0>(scores.topk(k, -1)).narrow(-1, k - 1, 1);  // [B, H, Tq, 1]
  const auto above = scores > worst;
  const auto border = scores == worst;
  const auto room = k - above.sum(-1, /*keepdim=*/true);  // [B, H, Tq, 1], of the border
  return above | (border & (border.cumsum(-1) <= room));
}

}  // namespace

TopKImpl::TopKImpl(const TopKOptions& options) : k_(options.k) {
  TORCH_CHECK(k_ >= 1, "top_k must be at least 1, got ", k_);
  dropout_ = register_module("dropout", Dropout(options.dropout));
}

torch::Tensor TopKImpl::forward(const CoreInput& input) {
  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  check_depths(input);
  const double scale = 1.0 / std::sqrt(static_cast<double>(input.query.size(-1)));
  auto scores = dot_scores(input.query, input.key, scale);  // [B, H, Tq, Tk]
  auto allowed = visible_mask(input.visible, input.past, input.query, input.key);
  if (k_ < scores.size(-1)) {
    auto seen = scores.detach();
    if (input.bias) seen = seen + input.bias->block(input.past, seen.size(2), 0, seen.size(3));
    if (allowed.defined()) seen = seen.masked_fill(~allowed, kHidden);
    const auto chosen = best_keys(seen, k_) & (seen > kHidden);
    allowed = chosen;
  }
  return attend_explicitly(input, std::move(scores), allowed, dropout_);
}

}  // namespace heed::nn
