#pragma once

#include "base/torch.h"

namespace heed::nn {

struct LayerNormOptions {
  int64_t d_model = 0;
  double eps = 1e-5;  // added to the variance
};

/// (x - mean) / sqrt(variance + eps) * weight + bias over the last dimension (Ba et al., 2016),
/// https://arxiv.org/abs/1607.06450. In fp32 under mixed precision.
class LayerNormImpl final : public torch::nn::Module {
 public:
  explicit LayerNormImpl(const LayerNormOptions& options);

  /// x [..., D] -> same, fp32 or wider
  torch::Tensor forward(const torch::Tensor& x) const;

 private:
  LayerNormOptions options_;
  torch::Tensor weight_;  // [D], ones at first
  torch::Tensor bias_;    // [D], zeros at first
};
TORCH_MODULE(LayerNorm);

}  // namespace heed::nn
