#pragma once

#include "nn/norm.h"

namespace heed::nn {

struct RmsNormOptions {
  int64_t d_model = 0;
  double eps = 1e-6;  // added to the mean square
};

/// x / sqrt(mean(x^2) + eps) * weight over the last dimension (Zhang & Sennrich, 2019),
/// https://arxiv.org/abs/1910.07467. In fp32 under mixed precision.
class RmsNormImpl final : public Norm {
 public:
  explicit RmsNormImpl(const RmsNormOptions& options);

  torch::Tensor forward(const torch::Tensor& x) const override;

 private:
  RmsNormOptions options_;
  torch::Tensor weight_;  // [D], ones at first
};
TORCH_MODULE(RmsNorm);

}  // namespace heed::nn
