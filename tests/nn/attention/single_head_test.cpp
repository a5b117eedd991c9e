#include "nn/attention/single_head.h"

#include <cmath>

#include "nn/attention/scaled_dot_product.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

MultiHeadAttention make_single(const SingleHeadOptions& options) {
  return single_head_attention(options, std::make_shared<ScaledDotProductImpl>());
}

TEST_CASE("a single head is softmax(Q K^T / sqrt(d_k)) V with depths of its own, without bias",
          "[nn][single_head][property]") {
  const auto seed = GENERATE(range(0, 5));
  CAPTURE(seed);
  torch::manual_seed(seed);
  auto head = make_single({.d_model = 5, .d_k = 2, .d_v = 3});
  const auto p = head->named_parameters();
  REQUIRE(p.size() == 3);
  REQUIRE(p["q_proj.weight"].sizes() == torch::IntArrayRef({2, 5}));
  REQUIRE(p["v_proj.weight"].sizes() == torch::IntArrayRef({3, 5}));

  const auto query = torch::randn({2, 4, 5});
  const auto memory = torch::randn({2, 6, 5});
  const auto q = torch::matmul(query, p["q_proj.weight"].t());
  const auto k = torch::matmul(memory, p["k_proj.weight"].t());
  const auto v = torch::matmul(memory, p["v_proj.weight"].t());
  const auto weights = torch::softmax(torch::matmul(q, k.mT()) / std::sqrt(2.0), -1);
  const auto context = head->forward({.query = query, .memory = memory});
  REQUIRE(test::max_diff(context, torch::matmul(weights, v)) < 1e-6);
}

TEST_CASE("a single head may lead back to d_model", "[nn][single_head][unit]") {
  auto head = make_single({.d_model = 6, .d_k = 2, .bias = true, .out_proj = true});
  REQUIRE(head->named_parameters()["out_proj.weight"].sizes() == torch::IntArrayRef({6, 2}));
  REQUIRE(head->named_parameters().contains("q_proj.bias"));
  REQUIRE(head->forward({.query = torch::randn({1, 3, 6})}).sizes() ==
          torch::IntArrayRef({1, 3, 6}));
}

}  // namespace
}  // namespace heed::nn
