#include "nn/rms_norm.h"

#include "nn/precision.h"

namespace heed::nn {

RmsNormImpl::RmsNormImpl(const RmsNormOptions& options) : options_(options) {
  weight_ = register_parameter("weight", torch::ones({options.d_model}));
}

torch::Tensor RmsNormImpl::forward(const torch::Tensor& x) const {
  return torch::rms_norm(widen(x), {options_.d_model}, weight_, options_.eps);
}

}  // namespace heed::nn
