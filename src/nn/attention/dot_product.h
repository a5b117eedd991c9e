#pragma once

#include "nn/attention/core.h"
#include "nn/dropout.h"

namespace heed::nn {

/// softmax(Q K^T) V (Luong et al., 2015, section 3.1, "dot"), https://arxiv.org/abs/1508.04025. Not
/// scaled: the variance of a score grows with the depth, softmax saturates and gradients vanish,
/// which is why scaled_dot_product is what one wants.
class DotProductImpl final : public AttentionCore {
 public:
  explicit DotProductImpl(double dropout);  // probability, on the weights
  torch::Tensor forward(const CoreInput& input) override;
  bool heads_alike() const override { return true; }

 private:
  Dropout dropout_{nullptr};
};
TORCH_MODULE(DotProduct);

}  // namespace heed::nn
