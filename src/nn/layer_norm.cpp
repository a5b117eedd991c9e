#include "nn/layer_norm.h"

#include "nn/precision.h"

namespace heed::nn {

LayerNormImpl::LayerNormImpl(const LayerNormOptions& options) : options_(options) {
  weight_ = register_parameter("weight", torch::ones({options.d_model}));
  bias_ = register_parameter("bias", torch::zeros({options.d_model}));
}

torch::Tensor LayerNormImpl::forward(const torch::Tensor& x) const {
  return torch::layer_norm(widen(x), {options_.d_model}, weight_, bias_, options_.eps);
}

}  // namespace heed::nn
