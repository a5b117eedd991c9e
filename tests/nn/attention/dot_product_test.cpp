#include "nn/attention/dot_product.h"

#include "nn/attention/golden.h"

namespace heed::nn {
namespace {

TEST_CASE("unscaled dot products equal NumPy's", "[nn][dot_product][golden]") {
  const auto causal = GENERATE(false, true);
  DotProduct core(0.0);
  test::AttentionGolden().require(*core, "dot", causal);
}

TEST_CASE("without a scale deep heads saturate and their gradients vanish",
          "[nn][dot_product][property]") {
  torch::manual_seed(1);
  const auto largest_weight = [](int64_t depth) {
    DotProduct core(0.0);
    AttentionParts parts;
    const auto x = torch::randn({1, 1, 32, depth});
    core->forward(
        {.query = torch::randn({1, 1, 32, depth}), .key = x, .value = x, .parts = &parts});
    return parts.weights.amax(-1).mean().item<double>();
  };
  REQUIRE(largest_weight(1) < 0.3);
  REQUIRE(largest_weight(256) > 0.9);
}

TEST_CASE("dot products name depths that differ", "[nn][dot_product][unit]") {
  DotProduct core(0.0);
  const auto x = torch::randn({1, 1, 2, 4});
  REQUIRE_THROWS_WITH(core->forward({.query = x.narrow(3, 0, 3), .key = x, .value = x}),
                      test::ContainsSubstring("query depth 3 != key depth 4"));
}

}  // namespace
}  // namespace heed::nn
