#include "nn/precision.h"

#include <ATen/autocast_mode.h>

namespace heed::nn {

torch::Tensor for_product(const torch::Tensor& x) {
  if (!x.defined() || x.scalar_type() != torch::kFloat) return x;
  const auto device = x.device().type();
  if (!at::autocast::is_autocast_enabled(device)) return x;
  return x.to(at::autocast::get_autocast_dtype(device));
}

torch::Tensor widen(const torch::Tensor& x) {
  return x.to(torch::promote_types(x.scalar_type(), torch::kFloat));
}

}  // namespace heed::nn
