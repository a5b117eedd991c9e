#pragma once

#include <vector>

#include "base/torch.h"

namespace heed::test {

/// Of a loss with respect to leaves, which are left without any.
inline std::vector<torch::Tensor> gradients_of(const torch::Tensor& loss,
                                               const std::vector<torch::Tensor>& leaves) {
  for (const auto& leaf : leaves) leaf.mutable_grad() = torch::Tensor();
  loss.backward();
  std::vector<torch::Tensor> found;
  for (const auto& leaf : leaves) {
    found.push_back(leaf.grad());
    leaf.mutable_grad() = torch::Tensor();
  }
  return found;
}

}  // namespace heed::test
