#include "nn/residual.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

torch::Tensor through(const torch::Tensor& x, const LayerOptions& options) {
  const auto norm = make_norm(options.norm_options());
  const Dropout dropout(0.0);
  return residual(x, *norm, dropout, options, nullptr,
                  [](const torch::Tensor& y) { return y * 3.0; });
}

TEST_CASE("a sublayer's result is scaled, added, or left alone", "[nn][residual][unit]") {
  torch::manual_seed(1);
  const auto x = torch::randn({1, 2, 4});
  const auto normal = make_norm({.d_model = 4})->forward(x);
  REQUIRE(test::max_diff(through(x, {.d_model = 4}), x + 3.0 * normal) < 1e-6);
  REQUIRE(test::max_diff(through(x, {.d_model = 4, .residual_scale = 0.5}), x + 1.5 * normal) <
          1e-6);
  REQUIRE(test::max_diff(through(x, {.d_model = 4, .residual = false}), 3.0 * normal) < 1e-6);
}

TEST_CASE("post-norm comes after the sum", "[nn][residual][unit]") {
  torch::manual_seed(1);
  const auto x = torch::randn({1, 2, 4});
  const auto norm = make_norm({.d_model = 4});
  REQUIRE(test::max_diff(through(x, {.d_model = 4, .norm_first = false, .residual_scale = 2.0}),
                         norm->forward(x * 7.0)) < 1e-6);
  REQUIRE(test::max_diff(through(x, {.d_model = 4, .norm_first = false, .residual = false}),
                         norm->forward(x * 3.0)) < 1e-6);
}

}  // namespace
}  // namespace heed::nn
