#include "nn/kernels/additive_scores.h"

#include <torch/csrc/autograd/autograd.h>

#include "nn/gradients.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

struct ScoreLeaves {
  torch::Tensor query, key, weight;
};

ScoreLeaves make_score_leaves(int64_t batch, int64_t queries, int64_t keys, int64_t width,
                              torch::ScalarType type = torch::kFloat) {
  return {torch::randn({batch, queries, width}, type).requires_grad_(),
          torch::randn({batch, keys, width}, type).requires_grad_(),
          torch::randn({width}, type).requires_grad_()};
}

/// Finite everywhere, so that gradients can be compared.
torch::Tensor loss_of_scores(const torch::Tensor& scores) {
  const auto real = scores.masked_fill(scores.isinf(), 0.0);
  return (real * torch::arange(real.numel(), real.options()).view(real.sizes()).cos()).sum();
}

TEST_CASE("the kernel of additive scores and its gradients equal the plain formula",
          "[nn][additive_scores][property]") {
  const auto width = GENERATE(1, 7, 8, 21);
  const auto queries = GENERATE(1, 3);
  const auto padded = GENERATE(false, true);
  CAPTURE(width, queries, padded);
  torch::manual_seed(width);
  const auto [query, key, weight] = make_score_leaves(3, queries, 5, width);
  const auto lengths = padded ? torch::tensor({2, 0, 5}, torch::kLong) : torch::Tensor();
  const auto fused = additive_scores(query, key, weight, lengths);
  const auto plain = additive_scores_explicit(query, key, weight, lengths);
  REQUIRE(torch::equal(fused.isinf(), plain.isinf()));
  REQUIRE(fused.isinf().sum().item<int64_t>() == (padded ? 8 * queries : 0));
  REQUIRE(test::max_diff(fused.nan_to_num(), plain.nan_to_num()) < 1e-5);

  const std::vector<torch::Tensor> leaves{query, key, weight};
  const auto found = test::gradients_of(loss_of_scores(fused), leaves);
  const auto expected = test::gradients_of(loss_of_scores(plain), leaves);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    CAPTURE(i);
    REQUIRE(test::max_diff(found[i], expected[i]) < 1e-5);
  }
}

TEST_CASE("a hidden key gets no gradient, whatever stands there", "[nn][additive_scores][unit]") {
  torch::manual_seed(1);
  const auto [query, key, weight] = make_score_leaves(2, 3, 4, 8);
  const auto lengths = torch::tensor({1, 3}, torch::kLong);
  additive_scores(query, key, weight, lengths).softmax(-1).square().sum().backward();
  REQUIRE(key.grad().isfinite().all().item<bool>());
  REQUIRE(key.grad()[0].narrow(0, 1, 3).abs().max().item<double>() == 0.0);
  REQUIRE(key.grad()[1][2].abs().max().item<double>() > 0.0);
}

TEST_CASE("the number of threads changes no score and no gradient", "[nn][additive_scores][unit]") {
  torch::manual_seed(2);
  const auto [query, key, weight] = make_score_leaves(40, 6, 7, 24);
  const std::vector<torch::Tensor> leaves{query, key, weight};
  const auto run = [&] {
    const auto scores = additive_scores(query, key, weight, {});
    auto all = test::gradients_of(loss_of_scores(scores), leaves);
    all.push_back(scores.detach());
    return all;
  };
  const auto one = run();
  torch::set_num_threads(2);
  const auto two = run();
  torch::set_num_threads(1);
  for (std::size_t i = 0; i < one.size(); ++i) REQUIRE(torch::equal(one[i], two[i]));
}

TEST_CASE("fp64 and many queries run the plain formula", "[nn][additive_scores][unit]") {
  torch::manual_seed(3);
  const auto [query, key, weight] = make_score_leaves(1, 600, 300, 40, torch::kDouble);
  const auto scores = additive_scores(query, key, weight, {});
  const auto last = torch::tanh(query[0][599] + key[0][299]).dot(weight);
  REQUIRE(scores.scalar_type() == torch::kDouble);
  REQUIRE(std::abs(scores[0][599][299].item<double>() - last.item<double>()) < 1e-12);
}

TEST_CASE("depths that disagree are named with both sides", "[nn][additive_scores][unit]") {
  REQUIRE_THROWS_WITH(
      additive_scores(torch::zeros({1, 2, 4}), torch::zeros({1, 2, 5}), torch::zeros({4}), {}),
      test::ContainsSubstring("query depth 4 and key depth 5 for 4 weights"));
}

}  // namespace
}  // namespace heed::nn
