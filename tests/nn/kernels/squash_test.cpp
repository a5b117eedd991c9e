// Vectors are passed by inlined functions only; see vectors.h.
#pragma GCC diagnostic ignored "-Wpsabi"

#include "nn/kernels/squash.h"

#include <cmath>
#include <limits>

#include "support/catch.h"

namespace heed::nn {
namespace {

TEST_CASE("sigmoid and tanh are those of the library, in every lane and at every size",
          "[nn][squash][property]") {
  double worst_sigmoid = 0.0;
  double worst_tanh = 0.0;
  for (float x = -30.0f; x < 30.0f; x += 0.00390625f * 8) {
    Floats each;
    for (int64_t i = 0; i < kLanes; ++i) each[i] = x + 0.00390625f * static_cast<float>(i);
    const Floats sigmoid = squash_sigmoid(each);
    const Floats tangent = squash_tanh(each);
    for (int64_t i = 0; i < kLanes; ++i) {
      const double exact = static_cast<double>(each[i]);
      worst_sigmoid = std::max(worst_sigmoid, std::abs(static_cast<double>(sigmoid[i]) -
                                                       1.0 / (1.0 + std::exp(-exact))));
      worst_tanh =
          std::max(worst_tanh, std::abs(static_cast<double>(tangent[i]) - std::tanh(exact)));
    }
  }
  REQUIRE(worst_sigmoid < 2e-7);
  REQUIRE(worst_tanh < 2e-7);
}

TEST_CASE("near 0 tanh keeps its relative precision", "[nn][squash][property]") {
  for (float x = 1e-6f; x < 1.0f; x *= 1.7f) {
    const double found = static_cast<double>(squash_tanh(spread(-x))[3]);
    REQUIRE(std::abs(found / std::tanh(-static_cast<double>(x)) - 1.0) < 3e-7);
  }
}

TEST_CASE("the ends of the line are squashed, and NaN stays NaN", "[nn][squash][unit]") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  REQUIRE(squash_sigmoid(spread(-kInfinity))[0] == 0.0f);
  REQUIRE(squash_sigmoid(spread(kInfinity))[0] == 1.0f);
  REQUIRE(squash_tanh(spread(-kInfinity))[0] == -1.0f);
  REQUIRE(squash_tanh(spread(1e30f))[0] == 1.0f);
  REQUIRE(std::isnan(squash_sigmoid(spread(std::nanf("")))[0]));
  REQUIRE(std::isnan(squash_tanh(spread(std::nanf("")))[0]));
}

}  // namespace
}  // namespace heed::nn
