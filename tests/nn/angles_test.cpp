#include "nn/angles.h"

#include <cmath>

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

TEST_CASE("an angle is the position over a power of the base", "[nn][angles][unit]") {
  const auto found = angles(5, 3, {.width = 6, .base = 50.0, .stretch = 2.0});
  REQUIRE(found.sizes() == torch::IntArrayRef({3, 3}));
  for (int64_t t = 0; t < 3; ++t) {
    for (int64_t i = 0; i < 3; ++i) {
      const double expected =
          (5.0 + static_cast<double>(t)) / 2.0 / std::pow(50.0, 2.0 * static_cast<double>(i) / 6.0);
      REQUIRE(std::abs(found[t][i].item<double>() - expected) < 1e-12);
    }
  }
}

TEST_CASE("NTK scaling slows the slowest pair by the factor and leaves the fastest",
          "[nn][angles][property]") {
  const int64_t width = GENERATE(4, 8, 64);
  const double factor = GENERATE(1.5, 4.0);
  CAPTURE(width, factor);
  const auto plain = angles(7, 1, {.width = width, .base = 10000.0});
  const auto scaled = angles(7, 1, {.width = width, .base = ntk_base(10000.0, factor, width)});
  const auto ratio = (plain / scaled).squeeze(0);
  REQUIRE(std::abs(ratio[0].item<double>() - 1.0) < 1e-12);
  REQUIRE(std::abs(ratio[-1].item<double>() - factor) < 1e-9);
  REQUIRE_THROWS_WITH(ntk_base(10000.0, 2.0, 2), test::ContainsSubstring("no slowest"));
}

}  // namespace
}  // namespace heed::nn
