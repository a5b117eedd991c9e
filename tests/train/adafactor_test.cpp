#include "train/adafactor.h"

#include "support/catch.h"

namespace heed::train {
namespace {

TEST_CASE("the state of a matrix is one number a row and one a column, whatever its dimensions",
          "[train][adafactor][unit]") {
  Adafactor optimizer({{"matrix", torch::randn({7, 5}).requires_grad_()},
                       {"stack", torch::randn({2, 3, 4}).requires_grad_()},
                       {"vector", torch::randn({6}).requires_grad_()}},
                      {});
  const auto state = optimizer.state();
  REQUIRE(state.at("row.matrix").numel() == 7);
  REQUIRE(state.at("column.matrix").numel() == 5);
  REQUIRE(state.at("row.stack").sizes() == std::vector<int64_t>{2, 3, 1});
  REQUIRE(state.at("column.stack").sizes() == std::vector<int64_t>{2, 1, 4});
  REQUIRE(state.at("variance.vector").numel() == 6);
  REQUIRE_FALSE(state.contains("variance.matrix"));
}

TEST_CASE("gradients of any size, and of zeros, give updates of about the rate",
          "[train][adafactor][property]") {
  const double size = GENERATE(0.0, 1e-12, 1.0, 1e6);
  torch::manual_seed(1);
  auto weight = torch::ones({8, 8}).requires_grad_();
  Adafactor optimizer({{"w", weight}}, {});
  weight.mutable_grad() = torch::randn({8, 8}) * size;
  optimizer.step(0.01);
  const auto change = (weight.detach() - 1.0).abs().max().item<double>();
  CAPTURE(size, change);
  REQUIRE(std::isfinite(change));
  REQUIRE(change <= 0.05);
  REQUIRE((size == 0.0) == (change == 0.0));
}

}  // namespace
}  // namespace heed::train
