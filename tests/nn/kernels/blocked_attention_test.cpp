#include "nn/kernels/blocked_attention.h"

#include <cmath>

#include <torch/csrc/autograd/autograd.h>

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

struct BlockTensors {
  torch::Tensor query = torch::randn({2, 3, 4, 5}, torch::kDouble).requires_grad_();
  torch::Tensor key = torch::randn({2, 3, 6, 5}, torch::kDouble).requires_grad_();
  torch::Tensor value = torch::randn({2, 3, 6, 2}, torch::kDouble).requires_grad_();
};

TEST_CASE("a block meets its range and its extra keys, and a band is added and trained",
          "[nn][blocked_attention][unit]") {
  torch::manual_seed(1);
  const BlockTensors x;
  const auto band = torch::randn({3, 2, 2}, torch::kDouble).requires_grad_();
  const auto plan = c10::make_intrusive<BlockPlan>();
  const auto yes = torch::ones({1}, torch::kBool);
  // Queries 0 and 1 meet keys 0..2, the band lies on the last two; 2 and 3 meet 3..4 and key 0.
  plan->blocks.push_back({.query_len = 2, .key_len = 3, .band = 0, .band_first = 1});
  plan->blocks.push_back({.query_first = 2,
                          .query_len = 2,
                          .key_first = 3,
                          .key_len = 2,
                          .extra = torch::zeros({1, 1, 1}, torch::kLong),
                          .extra_allowed = yes});
  const auto context = blocked_attention(x.query, x.key, x.value, {band}, plan, 0.5);

  auto scores = torch::matmul(x.query, x.key.mT()) * 0.5;
  auto added = torch::zeros({3, 4, 6}, torch::kDouble);
  const auto places = torch::constant_pad_nd(band, {1, 3, 0, 2});
  auto allowed = torch::zeros({4, 6}, torch::kBool);
  allowed.narrow(0, 0, 2).narrow(1, 0, 3).fill_(true);
  allowed.narrow(0, 2, 2).narrow(1, 3, 2).fill_(true);
  allowed.narrow(0, 2, 2).narrow(1, 0, 1).fill_(true);
  const auto weights = torch::softmax((scores + places).masked_fill(~allowed, -INFINITY), -1);
  const auto expected = torch::matmul(weights, x.value);
  REQUIRE(test::max_diff(context, expected) < 1e-12);

  const std::vector<torch::Tensor> leaves{x.query, x.key, x.value, band};
  const auto found = torch::autograd::grad({context.square().sum()}, leaves);
  const auto wanted = torch::autograd::grad({expected.square().sum()}, leaves);
  for (std::size_t i = 0; i < 4; ++i) REQUIRE(test::max_diff(found[i], wanted[i]) < 1e-12);
}

TEST_CASE("a blind query gives zeros and no gradient", "[nn][blocked_attention][unit]") {
  torch::manual_seed(1);
  const BlockTensors x;
  const auto plan = c10::make_intrusive<BlockPlan>();
  auto allowed = torch::ones({2, 1, 4, 6}, torch::kBool);
  allowed[1].fill_(false);
  plan->blocks.push_back({.query_len = 4, .key_len = 6, .allowed = allowed});
  plan->blind = true;
  const auto context = blocked_attention(x.query, x.key, x.value, {}, plan, 1.0);
  REQUIRE(context[1].abs().max().item<double>() == 0.0);
  for (const auto& gradient : torch::autograd::grad({context.sum()}, {x.query, x.key, x.value})) {
    REQUIRE(gradient.isfinite().all().item<bool>());
    REQUIRE(gradient[1].abs().max().item<double>() == 0.0);
  }
}

}  // namespace
}  // namespace heed::nn
