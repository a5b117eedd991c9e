#include "nn/mask.h"

#include "support/catch.h"

namespace heed::nn {
namespace {

torch::Tensor bools(const std::vector<std::vector<int>>& rows) {
  std::vector<torch::Tensor> all;
  for (const auto& row : rows) all.push_back(torch::tensor(row).to(torch::kBool));
  return torch::stack(all);
}

TEST_CASE("padding hides the keys past each length", "[nn][mask][unit]") {
  const auto mask = key_padding_mask(torch::tensor({0, 1, 3}, torch::kLong), 3);
  REQUIRE(mask.sizes() == torch::IntArrayRef({3, 1, 1, 3}));
  REQUIRE(torch::equal(mask.view({3, 3}), bools({{0, 0, 0}, {1, 0, 0}, {1, 1, 1}})));
}

TEST_CASE("a causal query sees itself and what is before", "[nn][mask][unit]") {
  REQUIRE(torch::equal(causal_mask(0, 3, 3, torch::kCPU).view({3, 3}),
                       bools({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}})));
  REQUIRE(torch::equal(causal_mask(1, 2, 4, torch::kCPU).view({2, 4}),
                       bools({{1, 1, 0, 0}, {1, 1, 1, 0}})));
  REQUIRE_THROWS(causal_mask(2, 2, 3, torch::kCPU));
  REQUIRE_THROWS(causal_mask(-1, 2, 3, torch::kCPU));
}

TEST_CASE("lengths, causality and allowed combine with and", "[nn][mask][unit]") {
  const auto query = torch::zeros({2, 1, 3, 4});
  const auto allowed = bools({{0, 1, 1}, {1, 1, 1}, {1, 0, 1}});
  const Visible visible{
      .lengths = torch::tensor({3, 2}, torch::kLong), .causal = true, .allowed = allowed};
  const auto mask = visible_mask(visible, 0, query, query);
  REQUIRE(torch::equal(mask[0][0], bools({{0, 0, 0}, {1, 1, 0}, {1, 0, 1}})));
  REQUIRE(torch::equal(mask[1][0], bools({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}})));
}

TEST_CASE("where nothing is hidden there is no mask", "[nn][mask][unit]") {
  const auto one = torch::zeros({2, 1, 1, 4});
  const auto keys = torch::zeros({2, 1, 6, 4});
  REQUIRE_FALSE(visible_mask({}, 0, keys, keys).defined());
  REQUIRE_FALSE(visible_mask({.causal = true}, 5, one, keys).defined());
  REQUIRE(visible_mask({.causal = true}, 4, one, keys).defined());
}

TEST_CASE("a mask of numbers is refused", "[nn][mask][unit]") {
  const auto type = GENERATE(torch::kFloat, torch::kLong, torch::kByte);
  const auto x = torch::zeros({1, 1, 2, 4});
  const Visible visible{.allowed = torch::ones({2, 2}, type)};
  REQUIRE_THROWS_WITH(visible_mask(visible, 0, x, x),
                      test::ContainsSubstring("allowed must be Bool, true = may attend"));
}

}  // namespace
}  // namespace heed::nn
