#include "nn/attention/additive.h"

#include "nn/attention/golden.h"

namespace heed::nn {
namespace {

TEST_CASE("additive scores equal NumPy's", "[nn][additive][golden]") {
  const auto causal = GENERATE(false, true);
  const test::AttentionGolden golden;
  Additive core(AdditiveOptions{.heads = 2, .head_dim = 4, .hidden = 3});
  core->to(torch::kDouble);
  const torch::NoGradGuard no_grad;
  for (const auto* name : {"query", "key", "score"}) {
    core->named_parameters()[std::string(name) + "_weight"].copy_(golden.weight(name));
  }
  core->named_parameters()["bias"].copy_(golden.weight("bias"));
  golden.require(*core, "additive", causal);
}

TEST_CASE("scoring some queries at a time changes nothing", "[nn][additive][unit]") {
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  Additive core(AdditiveOptions{.heads = 2, .head_dim = 8, .hidden = 64});
  const auto x = torch::randn({1, 2, 300, 8});  // 300 x 300 x 2 x 64 numbers are too many at once
  const auto whole = core->forward({.query = x, .key = x, .value = x});
  for (const int64_t q : {0, 150, 299}) {
    const auto one = core->forward({.query = x.narrow(2, q, 1), .key = x, .value = x});
    REQUIRE(test::max_diff(one, whole.narrow(2, q, 1)) < 1e-6);
  }
}

TEST_CASE("the scorer is as wide as a head where nothing else is said", "[nn][additive][unit]") {
  Additive core(AdditiveOptions{.heads = 2, .head_dim = 6});
  REQUIRE(core->named_parameters()["query_weight"].sizes() == torch::IntArrayRef({2, 6, 6}));
  REQUIRE(core->named_parameters()["score_weight"].sizes() == torch::IntArrayRef({2, 6, 1}));
}

}  // namespace
}  // namespace heed::nn
