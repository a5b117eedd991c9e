#include "train/adam.h"

#include <cmath>

#include "support/catch.h"

namespace heed::train {
namespace {

TEST_CASE("the first update of Adam is the rate, whatever the size of the gradient",
          "[train][adam][unit]") {
  const double size = GENERATE(1e-3, 1.0, 1e3);
  auto weight = torch::zeros({2}).requires_grad_();
  Adam adam({{"w", weight}}, {});
  weight.mutable_grad() = torch::tensor({size, -size}, torch::kFloat);
  adam.step(0.01);
  REQUIRE(std::abs(weight[0].item<double>() + 0.01) < 1e-6);
  REQUIRE(std::abs(weight[1].item<double>() - 0.01) < 1e-6);
}

TEST_CASE("decoupled decay shrinks matrices and leaves vectors", "[train][adam][unit]") {
  auto matrix = torch::ones({2, 2}).requires_grad_();
  auto vector = torch::ones({2}).requires_grad_();
  Adam adam({{"m", matrix}, {"v", vector}}, {.weight_decay = 0.5, .decoupled = true});
  matrix.mutable_grad() = torch::zeros({2, 2});
  vector.mutable_grad() = torch::zeros({2});
  adam.step(0.1);
  REQUIRE(std::abs(matrix[0][0].item<double>() - 0.95) < 1e-6);
  REQUIRE(vector[0].item<double>() == 1.0);
}

}  // namespace
}  // namespace heed::train
