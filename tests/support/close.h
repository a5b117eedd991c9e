#pragma once

#include "base/torch.h"

namespace heed::test {

/// REQUIRE(max_diff(a, b) < 1e-6) prints the distance when it fails; allclose would print "false".
inline double max_diff(const torch::Tensor& a, const torch::Tensor& b) {
  TORCH_CHECK(a.sizes() == b.sizes(), "shapes differ: ", a.sizes(), " and ", b.sizes());
  return (a - b).abs().max().item<double>();
}

}  // namespace heed::test
