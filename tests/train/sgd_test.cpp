#include "train/sgd.h"

#include <cmath>

#include "support/catch.h"

namespace heed::train {
namespace {

TEST_CASE("momentum adds up the gradients of a constant slope", "[train][sgd][unit]") {
  auto weight = torch::zeros({1}).requires_grad_();
  Sgd optimizer({{"w", weight}}, {.momentum = 0.5});
  for (int step = 0; step < 3; ++step) {
    weight.mutable_grad() = torch::ones({1});
    optimizer.step(0.1);
  }
  REQUIRE(std::abs(weight.item<double>() + 0.1 * (1.0 + 1.5 + 1.75)) < 1e-6);
  REQUIRE(optimizer.state().size() == 1);
}

TEST_CASE("without momentum there is no state", "[train][sgd][unit]") {
  Sgd optimizer({{"w", torch::zeros({2, 2}).requires_grad_()}}, {});
  REQUIRE(optimizer.state().empty());
  REQUIRE_NOTHROW(optimizer.load_state({}, "here"));
}

}  // namespace
}  // namespace heed::train
