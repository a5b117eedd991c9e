#include "nn/attention/general.h"

#include <cmath>

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "nn/attention/explicit_attention.h"
#include "nn/precision.h"

namespace heed::nn {

GeneralImpl::GeneralImpl(const GeneralOptions& options) {
  const auto depth = options.head_dim;
  const auto noise = torch::randn({options.heads, depth, depth}) * 0.02;
  weight_ = register_parameter("weight", torch::eye(depth) + noise);
  dropout_ = register_module("dropout", Dropout(options.dropout));
}

torch::Tensor GeneralImpl::forward(const CoreInput& input) {
  const int64_t depth = weight_.size(1);
  TORCH_CHECK(input.query.size(-1) == depth && input.key.size(-1) == depth, "query depth ",
              input.query.size(-1), " and key depth ", input.key.size(-1), " for a matrix of ",
              depth);
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const auto turned = torch::matmul(widen(input.query), weight_);  // [B, H, Tq, Dk]
  const double scale = 1.0 / std::sqrt(static_cast<double>(depth));
  return attend_explicitly(input, dot_scores(turned, input.key, scale), dropout_);
}

}  // namespace heed::nn
