#include "nn/attention/general.h"

#include "nn/attention/golden.h"
#include "nn/attention/scaled_dot_product.h"

namespace heed::nn {
namespace {

TEST_CASE("bilinear scores equal NumPy's", "[nn][general][golden]") {
  const auto causal = GENERATE(false, true);
  const test::AttentionGolden golden;
  General core(GeneralOptions{.heads = 2, .head_dim = 4});
  core->to(torch::kDouble);
  const torch::NoGradGuard no_grad;
  core->named_parameters()["weight"].copy_(golden.weight("general"));
  golden.require(*core, "general", causal);
}

TEST_CASE("with the identity as its matrix it is the scaled dot product",
          "[nn][general][property]") {
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  General core(GeneralOptions{.heads = 3, .head_dim = 4});
  const CoreInput input{.query = torch::randn({2, 3, 5, 4}),
                        .key = torch::randn({2, 3, 6, 4}),
                        .value = torch::randn({2, 3, 6, 4})};
  ScaledDotProduct plain;
  const auto expected = plain->forward(input);
  const auto near = test::max_diff(core->forward(input), expected);
  REQUIRE(near > 1e-4);
  REQUIRE(near < 0.5);
  core->named_parameters()["weight"].copy_(torch::eye(4).expand({3, 4, 4}));
  REQUIRE(test::max_diff(core->forward(input), expected) < 1e-6);
}

TEST_CASE("heads get other matrices, and a wrong depth is named", "[nn][general][unit]") {
  General core(GeneralOptions{.heads = 2, .head_dim = 4});
  const auto weight = core->parameters()[0];
  REQUIRE(test::max_diff(weight[0], weight[1]) > 1e-3);
  const auto x = torch::randn({1, 2, 3, 5});
  REQUIRE_THROWS_WITH(core->forward({.query = x, .key = x, .value = x}),
                      test::ContainsSubstring("query depth 5"));
}

}  // namespace
}  // namespace heed::nn
