#include "nn/attention/relative_bias.h"

#include <cmath>

#include "nn/attention/multi_head.h"
#include "nn/attention/scaled_dot_product.h"
#include "nn/family_golden.h"

namespace heed::nn {
namespace {

TEST_CASE("buckets of distances are T5's", "[nn][relative_bias][golden]") {
  const auto two_sided = GENERATE(true, false);
  const auto golden = test::family_golden().at("t5").at(two_sided ? "encoder" : "decoder");
  const auto buckets = golden.at("buckets").at("values").get<std::vector<int64_t>>();
  const auto first = golden.at("buckets").at("first").get<int64_t>();
  const auto len = static_cast<int64_t>(buckets.size());
  const auto distance = torch::arange(first, first + len, torch::kLong);
  const auto found = relative_buckets(distance, {.heads = 1, .two_sided = two_sided});
  REQUIRE(torch::equal(found, torch::tensor(buckets)));
}

TEST_CASE("attention with a relative bias equals T5's", "[nn][relative_bias][golden]") {
  const auto decoder = GENERATE(true, false);
  CAPTURE(decoder);
  const auto golden = test::family_golden().at("t5").at(decoder ? "decoder" : "encoder");
  const auto bias = std::make_shared<RelativeBiasImpl>(
      RelativeBiasOptions{.heads = 4, .buckets = 8, .max_distance = 10, .two_sided = !decoder});
  MultiHeadAttention attention(
      MultiHeadOptions{.d_model = 8, .heads = 4, .head_dim = 6, .bias = false},
      std::make_shared<ScaledDotProductImpl>(), AttentionPositions{.bias = bias});
  test::copy_named(*attention,
                   {{"q_proj.weight", "q.weight"},
                    {"k_proj.weight", "k.weight"},
                    {"v_proj.weight", "v.weight"},
                    {"out_proj.weight", "o.weight"},
                    {"score_bias.weight", "relative_attention_bias.weight"}},
                   golden.at("parameters"));
  {
    const torch::NoGradGuard no_grad;  // T5 doesn't scale its scores
    attention->named_parameters()["q_proj.weight"].mul_(std::sqrt(6.0));
  }
  const auto x = test::golden_tensor(golden.at("x"));
  const auto output = attention->forward({.query = x, .visible = {.causal = decoder}});
  REQUIRE(test::max_diff(output, test::golden_tensor(golden.at("output"))) < 1e-4);
  REQUIRE(test::max_diff(bias->block(0, 3, 0, x.size(1)), test::golden_tensor(golden.at("bias"))) <
          1e-6);
}

TEST_CASE("a block of a relative bias is a part of the whole, and teaches its table",
          "[nn][relative_bias][property]") {
  torch::manual_seed(1);
  const RelativeBias bias(RelativeBiasOptions{.heads = 3});
  const auto whole = bias->block(0, 20, 0, 20);
  REQUIRE(test::max_diff(bias->block(5, 4, 2, 9), whole.narrow(1, 5, 4).narrow(2, 2, 9)) == 0.0);
  REQUIRE(bias->parameters().size() == 1);
  whole.sum().backward();
  const auto gradient = bias->parameters()[0].grad();
  REQUIRE(gradient.sum().item<double>() == 3.0 * 400.0);
  REQUIRE(gradient[0][0].item<double>() == 20.0);  // distance 0
}

TEST_CASE("a relative bias that can't tell distances is refused", "[nn][relative_bias][unit]") {
  REQUIRE_THROWS_WITH(RelativeBias(RelativeBiasOptions{.heads = 1, .buckets = 2}),
                      test::ContainsSubstring("2 buckets are too few"));
  REQUIRE_THROWS_WITH(
      RelativeBias(RelativeBiasOptions{.heads = 1, .buckets = 32, .max_distance = 8}),
      test::ContainsSubstring("max_distance 8 is within"));
}

}  // namespace
}  // namespace heed::nn
