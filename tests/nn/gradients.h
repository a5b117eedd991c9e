#pragma once

#include <vector>

#include "base/torch.h"
#include "support/catch.h"
#include "support/close.h"

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

/// Gradients of the same leaves, one by one: within 1e-5 of 1 and of the largest expected number.
inline void require_close(const std::vector<torch::Tensor>& found,
                          const std::vector<torch::Tensor>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    REQUIRE(max_diff(found[i], expected[i]) <
            1e-5 * (1.0 + expected[i].abs().max().item<double>()));
  }
}

}  // namespace heed::test
