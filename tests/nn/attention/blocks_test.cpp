#include "nn/attention/blocks.h"

#include <cmath>

#include <torch/csrc/autograd/autograd.h>

#include "nn/attention/alibi.h"
#include "nn/attention/explicit_attention.h"
#include "nn/attention/relative_bias.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

struct BlocksCase {
  Pattern pattern;
  int64_t at_once;
};

std::vector<BlocksCase> blocks_cases() {
  return {
      {{}, 4},
      {{}, 100},
      {{.window = 3}, 4},
      {{.window = 3}, 5},
      {{.window = 40}, 8},
      {{.window = 2, .global_positions = {0, 7, 22}}, 6},
      {{.window = 1, .global_positions = {5}, .random = 3, .block = 4}, 4},
      {{.window = 2, .global_positions = {}, .random = 6, .block = 3}, 3},
  };
}

CoreInput blocks_input(int64_t len, torch::ScalarType type = torch::kFloat) {
  CoreInput input{.query = torch::randn({2, 3, len, 4}).to(type),
                  .key = torch::randn({2, 3, len, 4}).to(type),
                  .value = torch::randn({2, 3, len, 5}).to(type)};
  for (auto* x : {&input.query, &input.key, &input.value}) x->requires_grad_();
  return input;
}

torch::Tensor on_full_matrix(const CoreInput& input, const Pattern& pattern,
                             const Dropout& dropout) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(input.query.size(-1)));
  return attend_explicitly(input, dot_scores(input.query, input.key, scale),
                           pattern_mask(pattern, input), dropout);
}

std::vector<torch::Tensor> blocks_gradients(const torch::Tensor& context, const CoreInput& input) {
  const auto weight = torch::linspace(-1.0, 2.0, context.numel()).view(context.sizes());
  return torch::autograd::grad({(context * weight).sum()}, {input.query, input.key, input.value});
}

void require_same_in_blocks(const CoreInput& input, const BlocksCase& how, const Dropout& dropout,
                            double bound = 1e-5) {
  const auto expected = on_full_matrix(input, how.pattern, dropout);
  const auto context = attend_in_blocks(input, how.pattern, how.at_once, dropout);
  REQUIRE(test::max_diff(context, expected) < bound);
  const auto wanted = blocks_gradients(expected, input);
  const auto found = blocks_gradients(context, input);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(found[i].isfinite().all().item<bool>());
    REQUIRE(test::max_diff(found[i], wanted[i]) < bound * 3.0);
  }
}

TEST_CASE("blocks give what the pattern gives on the full matrix, gradients too",
          "[nn][blocks][property]") {
  const auto how = GENERATE(from_range(blocks_cases()));
  const auto causal = GENERATE(false, true);
  const auto len = GENERATE(values<int64_t>({1, 23}));
  const auto masked = GENERATE(0, 1, 2, 3);  // nothing, lengths, a mask by pairs, both
  CAPTURE(how.pattern.window, how.pattern.random, how.at_once, causal, len, masked);
  torch::manual_seed(masked);
  auto input = blocks_input(len);
  input.visible.causal = causal;
  if (masked & 1) input.visible.lengths = torch::tensor({len, len / 3});
  if (masked & 2) input.visible.allowed = torch::rand({2, 1, len, len}) < 0.7;
  if (masked == 2) input.visible.allowed = input.visible.allowed[0][0].narrow(0, 0, 1);
  if (how.pattern.window != Pattern::kAll && !how.pattern.global_positions.empty()) {
    input.visible.global = torch::rand({2, len}) < 0.1;
  }
  require_same_in_blocks(input, how, Dropout(0.0));
}

TEST_CASE("dropout in blocks is that of the full matrix", "[nn][blocks][property]") {
  const auto how = GENERATE(from_range(blocks_cases()));
  const auto causal = GENERATE(false, true);
  CAPTURE(how.pattern.window, how.pattern.random, how.at_once, causal);
  torch::manual_seed(1);
  auto input = blocks_input(23);
  const Noise noise{.seed = 5, .step = 2, .examples = torch::tensor({4, 9}, torch::kLong)};
  input.noise = &noise;
  input.visible = {.lengths = torch::tensor({23, 10}), .causal = causal};
  require_same_in_blocks(input, how, Dropout(0.4));
}

TEST_CASE("a bias by distance is added in blocks, and trained", "[nn][blocks][property]") {
  const auto window = GENERATE(values<int64_t>({Pattern::kAll, 3}));
  const auto causal = GENERATE(false, true);
  const auto trained = GENERATE(false, true);
  CAPTURE(window, causal, trained);
  torch::manual_seed(1);
  auto input = blocks_input(23);
  input.visible = {.lengths = torch::tensor({23, 10}), .causal = causal};
  Alibi alibi(3);
  RelativeBias relative(
      RelativeBiasOptions{.heads = 3, .buckets = 8, .max_distance = 16, .std = 1.0});
  input.bias = trained ? static_cast<const ScoreBias*>(relative.get()) : alibi.get();
  const BlocksCase how{{.window = window}, 5};
  require_same_in_blocks(input, how, Dropout(0.0));
  if (!trained) return;

  const auto gradient = [&](const torch::Tensor& context) {
    return torch::autograd::grad({context.square().sum()}, relative->parameters())[0];
  };
  const auto found = gradient(attend_in_blocks(input, how.pattern, 5, Dropout(0.0)));
  const auto wanted = gradient(on_full_matrix(input, how.pattern, Dropout(0.0)));
  REQUIRE(test::max_diff(found, wanted) < 1e-4);
}

TEST_CASE("what lies behind the mask, however large, changes nothing", "[nn][blocks][unit]") {
  const auto how = GENERATE(from_range(blocks_cases()));
  const auto huge = GENERATE(1e30F, -1e30F);
  CAPTURE(how.pattern.window, how.at_once, huge);
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  auto input = blocks_input(23);
  input.visible.lengths = torch::full({2}, 15, torch::kLong);
  const auto expected = attend_in_blocks(input, how.pattern, how.at_once, Dropout(0.0));
  input.key.narrow(2, 15, 8).fill_(huge);
  input.value.narrow(2, 15, 8).fill_(huge);
  const auto context = attend_in_blocks(input, how.pattern, how.at_once, Dropout(0.0));
  REQUIRE(test::max_diff(context.narrow(2, 0, 15), expected.narrow(2, 0, 15)) < 1e-6);
}

TEST_CASE("half precision in blocks stays near fp32", "[nn][blocks][unit]") {
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  const auto half = blocks_input(23, torch::kBFloat16);
  auto wide = half;
  for (auto* x : {&wide.query, &wide.key, &wide.value}) *x = x->to(torch::kFloat);
  const auto context = attend_in_blocks(half, {.window = 3}, 4, Dropout(0.0));
  REQUIRE(context.scalar_type() == torch::kBFloat16);
  const auto expected = attend_in_blocks(wide, {.window = 3}, 4, Dropout(0.0));
  REQUIRE(test::max_diff(context.to(torch::kFloat), expected) < 2e-2);
}

TEST_CASE("queries at the end of more keys are met in blocks too", "[nn][blocks][unit]") {
  torch::manual_seed(1);
  auto input = blocks_input(23);
  input.visible.causal = true;
  const auto full = attend_in_blocks(input, {}, 5, Dropout(0.0));
  auto last = input;
  last.query = input.query.narrow(2, 10, 13);
  last.past = 10;
  const auto context = attend_in_blocks(last, {}, 5, Dropout(0.0));
  REQUIRE(test::max_diff(context, full.narrow(2, 10, 13)) < 1e-6);
}

TEST_CASE("a bias goes with a window alone", "[nn][blocks][unit]") {
  auto input = blocks_input(23);
  Alibi alibi(3);
  input.bias = alibi.get();
  REQUIRE_THROWS_WITH(
      attend_in_blocks(input, {.window = 2, .global_positions = {1}}, 5, Dropout(0.0)),
      test::ContainsSubstring("goes with a window alone"));
}

}  // namespace
}  // namespace heed::nn
