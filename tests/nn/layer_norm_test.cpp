#include "nn/layer_norm.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

TEST_CASE("layer norm leaves mean 0 and variance 1, then scales and shifts",
          "[nn][layer_norm][property]") {
  const auto seed = GENERATE(range(0, 5));
  torch::manual_seed(seed);
  const LayerNorm norm(LayerNormOptions{.d_model = 12});
  const auto x = torch::randn({3, 4, 12}) * 5 + 2;
  const auto centered = x - x.mean(-1, true);
  const auto unit = centered / (centered.square().mean(-1, true) + 1e-5).sqrt();
  REQUIRE(test::max_diff(norm->forward(x), unit) < 1e-5);

  const torch::NoGradGuard no_grad;
  for (auto& parameter : norm->parameters()) parameter.normal_();
  const auto parameters = norm->named_parameters();
  const auto expected = unit * parameters["weight"] + parameters["bias"];
  REQUIRE(test::max_diff(norm->forward(x), expected) < 1e-5);
}

TEST_CASE("layer norm of half precision runs in fp32", "[nn][layer_norm][unit]") {
  torch::manual_seed(1);
  const LayerNorm norm(LayerNormOptions{.d_model = 12});
  const auto x = torch::randn({3, 12}).to(torch::kBFloat16);
  const auto result = norm->forward(x);
  REQUIRE(result.scalar_type() == torch::kFloat);
  REQUIRE(torch::equal(result, norm->forward(x.to(torch::kFloat))));
}

}  // namespace
}  // namespace heed::nn
