#pragma once

#include "nn/norm.h"

namespace heed::nn {

struct LayerNormOptions {
  int64_t d_model = 0;
  double eps = 1e-5;  // added to the variance
};

/// (x - mean) / sqrt(variance + eps) * weight + bias over the last dimension (Ba et al., 2016),
/// https://arxiv.org/abs/1607.06450. In fp32 under mixed precision.
class LayerNormImpl final : public Norm {
 public:
  explicit LayerNormImpl(const LayerNormOptions& options);

  torch::Tensor forward(const torch::Tensor& x) const override;

 private:
  LayerNormOptions options_;
  torch::Tensor weight_;  // [D], ones at first
  torch::Tensor bias_;    // [D], zeros at first
};
TORCH_MODULE(LayerNorm);

}  // namespace heed::nn
