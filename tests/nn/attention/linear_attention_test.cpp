#include "nn/attention/linear_attention.h"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>

#include "nn/attention/golden.h"

namespace heed::nn {
namespace {

CoreInput linear_input(int64_t len) {
  return {.query = torch::randn({2, 3, len, 4}),
          .key = torch::randn({2, 3, len, 4}),
          .value = torch::randn({2, 3, len, 5})};
}

TEST_CASE("linear attention equals NumPy's loops", "[nn][linear_attention][golden]") {
  const auto causal = GENERATE(false, true);
  LinearAttention core;
  test::AttentionGolden().require(*core, "linear", causal);
}

TEST_CASE("linear attention and its gradients equal the quadratic form, over several chunks",
          "[nn][linear_attention][property]") {
  const auto len = GENERATE(values<int64_t>({1, 128, 129, 300}));
  const auto causal = GENERATE(false, true);
  CAPTURE(len, causal);
  torch::manual_seed(len);
  auto input = linear_input(len);
  for (auto* x : {&input.query, &input.key, &input.value}) x->requires_grad_();
  input.visible = {.lengths = torch::tensor({len, len / 2}), .causal = causal};
  const auto gradients = [&](const torch::Tensor& context) {
    const auto weight = torch::linspace(-1.0, 1.0, context.numel()).view(context.sizes());
    return torch::autograd::grad({(context * weight).sum()}, {input.query, input.key, input.value});
  };
  LinearAttention core;
  const auto context = core->forward(input);
  AttentionParts parts;
  input.parts = &parts;
  const auto plain = core->forward(input);
  REQUIRE(test::max_diff(context, plain) < 1e-5);
  const auto actual = gradients(context);
  const auto expected = gradients(plain);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(test::max_diff(actual[i], expected[i]) <
            1e-5 * std::max(1.0, expected[i].abs().max().item<double>()));
  }
}

TEST_CASE("sums carried on equal one pass, several tokens at a time",
          "[nn][linear_attention][property]") {
  const auto step = GENERATE(values<int64_t>({1, 7, 130}));
  CAPTURE(step);
  torch::manual_seed(step);
  const torch::NoGradGuard no_grad;
  const int64_t len = 260;
  auto input = linear_input(len);
  input.visible.causal = true;
  LinearAttention core;
  const auto full = core->forward(input);
  const auto cache = core->start(len, {});
  REQUIRE(core->owns(*cache));
  for (int64_t past = 0; past < len; past += step) {
    const auto some = std::min(step, len - past);
    const auto cut = [&](const torch::Tensor& x) { return x.narrow(2, past, some); };
    const auto context = core->forward({.query = cut(input.query),
                                        .key = cut(input.key),
                                        .value = cut(input.value),
                                        .visible = {.causal = true},
                                        .past = past,
                                        .cache = cache.get()});
    REQUIRE(test::max_diff(context, cut(full)) < 1e-5);
  }
}

TEST_CASE("sums carried on leave out what lengths and masks of keys hide",
          "[nn][linear_attention][property]") {
  const auto step = GENERATE(values<int64_t>({1, 3}));
  const auto by_lengths = GENERATE(false, true);
  CAPTURE(step, by_lengths);
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  auto input = linear_input(9);
  const auto lengths = torch::tensor({9, 4}, torch::kLong);
  const auto real = (torch::arange(9) >= torch::tensor({0, 3}).unsqueeze(1)).view({2, 1, 1, 9});
  input.visible = {.causal = true};
  if (by_lengths) input.visible.lengths = lengths;
  if (!by_lengths) input.visible.allowed = real;
  LinearAttention core;
  const auto full = core->forward(input);
  const auto cache = core->start(9, {});
  for (int64_t past = 0; past < 9; past += step) {
    const auto cut = [&](const torch::Tensor& x) { return x.narrow(2, past, step); };
    Visible visible{.causal = true};
    if (by_lengths) visible.lengths = lengths;
    if (!by_lengths) visible.allowed = real.narrow(3, 0, past + step);
    const auto context = core->forward({.query = cut(input.query),
                                        .key = cut(input.key),
                                        .value = cut(input.value),
                                        .visible = visible,
                                        .past = past,
                                        .cache = cache.get()});
    REQUIRE(test::max_diff(context, cut(full)) < 1e-5);
  }
}

TEST_CASE("a mask of single pairs needs keys, which sums don't keep",
          "[nn][linear_attention][unit]") {
  auto input = linear_input(3);
  input.visible.allowed = torch::ones({3, 3}, torch::kBool);
  LinearAttention core;
  const auto cache = core->start(9, {});
  input.cache = cache.get();
  REQUIRE_THROWS_WITH(core->forward(input),
                      test::ContainsSubstring("allowed [3, 3] is no mask of 3 keys alike for all"));
}

TEST_CASE("fewer queries than keys stand at the end", "[nn][linear_attention][unit]") {
  torch::manual_seed(1);
  auto input = linear_input(9);
  input.visible.causal = true;
  LinearAttention core;
  const auto full = core->forward(input);
  auto last = input;
  last.query = input.query.narrow(2, 6, 3);
  last.past = 6;
  REQUIRE(test::max_diff(core->forward(last), full.narrow(2, 6, 3)) < 1e-6);
}

TEST_CASE("half precision is summed up in fp32", "[nn][linear_attention][unit]") {
  torch::manual_seed(1);
  const auto input = linear_input(200);
  LinearAttention core;
  const auto half = core->forward({.query = input.query.to(torch::kBFloat16),
                                   .key = input.key.to(torch::kBFloat16),
                                   .value = input.value.to(torch::kBFloat16)});
  REQUIRE(half.scalar_type() == torch::kBFloat16);
  REQUIRE(test::max_diff(half.to(torch::kFloat), core->forward(input)) < 2e-2);
}

}  // namespace
}  // namespace heed::nn
