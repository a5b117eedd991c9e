#include "nn/kernels/loss_rows.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

TEST_CASE("the kernel over rows equals the plain operators on the same logits",
          "[nn][loss_rows][property]") {
  const auto pieces = GENERATE(1, 3, 16, 31, 32, 1000);
  const auto width = GENERATE(0.1, 3.0, 40.0, 1000.0);  // of the logits
  const auto smoothing = GENERATE(0.0, 0.2);
  CAPTURE(pieces, width, smoothing);
  torch::manual_seed(pieces);
  const auto targets = torch::randint(0, pieces, {9}, torch::kLong);
  auto logits = torch::randn({9, pieces}) * width;
  auto plain = logits.to(torch::kDouble);

  const auto sums = loss_rows_(logits, targets, smoothing, /*gradient=*/true);
  const auto expected = loss_rows_(plain, targets, smoothing, /*gradient=*/true);
  REQUIRE(test::max_diff(sums, expected) < 1e-6 * (1.0 + expected.abs().max().item<double>()));
  REQUIRE(test::max_diff(logits.to(torch::kDouble), plain) < 2e-6);
}

TEST_CASE("rows are added up whatever their chunk", "[nn][loss_rows][unit]") {
  torch::manual_seed(1);
  const auto logits = torch::randn({50, 20});
  const auto targets = torch::randint(0, 20, {50}, torch::kLong);
  auto whole = logits.clone();
  auto front = logits.narrow(0, 0, 13).clone();
  auto back = logits.narrow(0, 13, 37).clone();
  const auto parts = loss_rows_(front, targets.narrow(0, 0, 13), 0.1, true) +
                     loss_rows_(back, targets.narrow(0, 13, 37), 0.1, true);
  REQUIRE(test::max_diff(loss_rows_(whole, targets, 0.1, true), parts) < 1e-9);
  REQUIRE(torch::equal(whole, torch::cat({front, back})));
}

}  // namespace
}  // namespace heed::nn
