#include "train/tensor_watch.h"

#include <cmath>

#include "support/catch.h"
#include "train/sgd.h"

namespace heed::train {
namespace {

TEST_CASE("a tensor's gradient and the size of its update, before clipping and after the update",
          "[train][tensor_watch][unit]") {
  auto moved = torch::tensor({6.0F, 8.0F}).requires_grad_();
  auto without = torch::ones({3}).requires_grad_();
  Sgd optimizer({{"moved", moved}, {"without", without}}, {.momentum = 0.0});
  moved.mutable_grad() = torch::tensor({3.0F, -4.0F});
  const TensorWatch watch(optimizer.parameters());
  moved.mutable_grad().mul_(0.1);  // clipped
  optimizer.step(0.5);
  const auto reports = watch.reports();
  REQUIRE(reports.size() == 1);
  REQUIRE(reports[0].name == "moved");
  REQUIRE(std::abs(reports[0].grad_norm - 5.0) < 1e-6);
  REQUIRE(std::abs(reports[0].update_ratio - 0.25 / 10.0) < 1e-6);
}

TEST_CASE("nothing to watch is no report", "[train][tensor_watch][unit]") {
  REQUIRE(TensorWatch({}).reports().empty());
  REQUIRE(TensorWatch({{"w", torch::ones({2}).requires_grad_()}}).reports().empty());
}

}  // namespace
}  // namespace heed::train
