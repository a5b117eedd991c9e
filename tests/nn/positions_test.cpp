#include "nn/positions.h"

#include <cmath>

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

using Type = PositionsOptions::Type;

Positions make_positions(Type type, int64_t d_model, int64_t max_len) {
  return Positions(PositionsOptions{.type = type, .d_model = d_model, .max_len = max_len});
}

TEST_CASE("sinusoids follow the paper's formula", "[nn][positions][unit]") {
  const auto table = sinusoids(3, 5, 6);
  for (int64_t t = 0; t < 5; ++t) {
    for (int64_t i = 0; i < 3; ++i) {
      const double angle = (3.0 + t) / std::pow(10000.0, 2.0 * i / 6.0);
      REQUIRE(std::abs(table[t][2 * i].item<double>() - std::sin(angle)) < 1e-6);
      REQUIRE(std::abs(table[t][2 * i + 1].item<double>() - std::cos(angle)) < 1e-6);
    }
  }
}

TEST_CASE("positions of a step equal those of the whole, also past the table",
          "[nn][positions][property]") {
  const auto type = GENERATE(Type::kSinusoidal, Type::kLearned, Type::kNone);
  const auto positions = make_positions(type, 8, 4);
  const auto x = torch::randn({2, 7, 8});
  const auto whole = positions->forward(x, 0);
  for (int64_t t = 0; t < 7; ++t) {
    const auto step = positions->forward(x.narrow(1, t, 1), t);
    REQUIRE(test::max_diff(step, whole.narrow(1, t, 1)) == 0.0);
  }
}

TEST_CASE("the kind decides what is learned", "[nn][positions][unit]") {
  REQUIRE(make_positions(Type::kSinusoidal, 8, 4)->parameters().empty());
  REQUIRE(make_positions(Type::kNone, 8, 4)->parameters().empty());
  const auto learned = make_positions(Type::kLearned, 8, 4);
  REQUIRE(learned->parameters().size() == 1);
  learned->forward(torch::zeros({1, 3, 8}), 0).sum().backward();
  REQUIRE(learned->parameters()[0].grad().sum().item<double>() == 24.0);
}

TEST_CASE("without positions x stays as it is", "[nn][positions][unit]") {
  const auto x = torch::randn({1, 3, 8});
  REQUIRE(torch::equal(make_positions(Type::kNone, 8, 4)->forward(x, 2), x));
}

}  // namespace
}  // namespace heed::nn
