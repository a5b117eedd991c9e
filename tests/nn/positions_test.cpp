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
  const auto table = sinusoids(3, 5, {.width = 6});
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

TEST_CASE("stretched sinusoids at even positions are those of half", "[nn][positions][unit]") {
  PositionsOptions options{.d_model = 8, .max_len = 4, .stretch = 2.0};
  const Positions stretched(options);
  const auto found = stretched->forward(torch::zeros({1, 9, 8}), 0).squeeze(0);
  const auto plain = sinusoids(0, 5, {.width = 8});
  for (int64_t t = 0; t < 5; ++t) {
    REQUIRE(test::max_diff(found[2 * t], plain[t]) < 1e-6);
  }
  REQUIRE(test::max_diff(found[1], sinusoids(0, 2, {.width = 8, .stretch = 2.0})[1]) < 1e-6);
}

TEST_CASE("a learned position between two is mixed from them", "[nn][positions][unit]") {
  torch::manual_seed(1);
  const Positions positions(
      PositionsOptions{.type = Type::kLearned, .d_model = 4, .max_len = 3, .stretch = 4.0});
  const auto table = positions->parameters()[0];
  const auto found = positions->forward(torch::zeros({1, 12, 4}), 0).squeeze(0);
  REQUIRE(test::max_diff(found[4], table[1]) < 1e-6);
  REQUIRE(test::max_diff(found[5], 0.75 * table[1] + 0.25 * table[2]) < 1e-6);
  REQUIRE(test::max_diff(found[11], table[2]) < 1e-6);  // past the last one
  const auto step = positions->forward(torch::zeros({1, 1, 4}), 5).squeeze(0);
  REQUIRE(test::max_diff(step[0], found[5]) == 0.0);
  found.sum().backward();
  REQUIRE(table.grad().sum().item<double>() == 48.0);
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
