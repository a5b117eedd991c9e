#include "nn/attention/top_k.h"

#include "nn/attention/golden.h"
#include "nn/attention/scaled_dot_product.h"

namespace heed::nn {
namespace {

CoreInput top_k_input(int64_t len) {
  return {.query = torch::randn({2, 3, len, 4}),
          .key = torch::randn({2, 3, len, 4}),
          .value = torch::randn({2, 3, len, 4})};
}

TEST_CASE("the best k keys equal NumPy's", "[nn][top_k][golden]") {
  const auto causal = GENERATE(false, true);
  const test::AttentionGolden golden;
  TopK core(TopKOptions{.k = golden.json().at("top_k").get<int64_t>()});
  golden.require(*core, "top_k", causal);
}

TEST_CASE("k keys at most have weight, fewer where fewer are visible", "[nn][top_k][property]") {
  const auto seed = GENERATE(range(0, 5));
  const auto k = GENERATE(values<int64_t>({1, 3, 6}));
  torch::manual_seed(seed);
  auto input = top_k_input(6);
  input.visible = {.lengths = torch::tensor({5, 0}, torch::kLong), .causal = true};
  AttentionParts parts;
  input.parts = &parts;
  TopK core(TopKOptions{.k = k});
  core->forward(input);
  const auto seen = (parts.weights > 0).sum(-1)[0];  // [H, Tq]
  const auto expected = torch::arange(1, 7).clamp_max(5).clamp_max(k);
  REQUIRE(torch::equal(seen, expected.expand_as(seen)));
  REQUIRE(parts.weights[1].abs().max().item<double>() == 0.0);
}

TEST_CASE("with room for all keys it is the scaled dot product", "[nn][top_k][unit]") {
  torch::manual_seed(1);
  const auto input = top_k_input(6);
  TopK core(TopKOptions{.k = 6});
  ScaledDotProduct plain;
  REQUIRE(test::max_diff(core->forward(input), plain->forward(input)) < 1e-6);
}

TEST_CASE("of equal scores the first ones stay", "[nn][top_k][unit]") {
  const auto query = torch::ones({1, 1, 1, 2});
  const auto key = torch::ones({1, 1, 4, 2});
  AttentionParts parts;
  TopK core(TopKOptions{.k = 2});
  core->forward({.query = query, .key = key, .value = key, .parts = &parts});
  REQUIRE(torch::equal(parts.weights.flatten(), torch::tensor({0.5F, 0.5F, 0.0F, 0.0F})));
}

TEST_CASE("no key at all is refused", "[nn][top_k][unit]") {
  REQUIRE_THROWS_WITH(TopK(TopKOptions{.k = 0}), test::ContainsSubstring("at least 1"));
}

}  // namespace
}  // namespace heed::nn
