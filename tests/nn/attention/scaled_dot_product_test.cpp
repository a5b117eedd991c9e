#include "nn/attention/scaled_dot_product.h"

#include <cmath>
#include <set>
#include <string>

#include <torch/csrc/autograd/autograd.h>

#include <ATen/record_function.h>

#include "nn/attention/alibi.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

using Impl = ScaledDotProductOptions::Impl;

struct Tensors {
  torch::Tensor query, key, value;
};

/// Leaves [B, H, T, D].
Tensors make_tensors(int64_t batch, int64_t heads, int64_t query_len, int64_t key_len) {
  return {torch::randn({batch, heads, query_len, 4}).requires_grad_(),
          torch::randn({batch, heads, key_len, 4}).requires_grad_(),
          torch::randn({batch, heads, key_len, 4}).requires_grad_()};
}

torch::Tensor attend(const Tensors& x, const Visible& visible, Impl impl, int64_t past = 0) {
  ScaledDotProduct core(ScaledDotProductOptions{.impl = impl});
  return core->forward(
      {.query = x.query, .key = x.key, .value = x.value, .visible = visible, .past = past});
}

std::vector<torch::Tensor> gradients(const torch::Tensor& context, const Tensors& x) {
  const auto weight = torch::linspace(-1.0, 2.0, context.numel()).view(context.sizes());
  return torch::autograd::grad({(context * weight).sum()}, {x.query, x.key, x.value});
}

/// The formula by loops: [B, H, Tq, Tk] weights, for one mask of that shape.
torch::Tensor weights_by_hand(const torch::Tensor& query, const torch::Tensor& key,
                              const torch::Tensor& allowed) {
  auto weights = torch::zeros(allowed.sizes(), torch::kDouble);
  for (int64_t b = 0; b < allowed.size(0); ++b) {
    for (int64_t h = 0; h < allowed.size(1); ++h) {
      for (int64_t q = 0; q < allowed.size(2); ++q) {
        double total = 0.0;
        for (int64_t k = 0; k < allowed.size(3); ++k) {
          if (!allowed[b][h][q][k].item<bool>()) continue;
          const double score = (query[b][h][q] * key[b][h][k]).sum().item<double>();
          const double e = std::exp(score / std::sqrt(static_cast<double>(query.size(3))));
          weights[b][h][q][k] = e;
          total += e;
        }
        if (total > 0.0) weights[b][h][q] /= total;
      }
    }
  }
  return weights;
}

TEST_CASE("weights and context equal the formula written as loops, for every mask",
          "[nn][scaled_dot_product][property]") {
  const auto seed = GENERATE(range(0, 5));
  const auto shared = GENERATE(false, true);  // one mask for all, or one for each head
  torch::manual_seed(seed);
  const auto x = make_tensors(2, 3, 3, 5);
  const auto size = shared ? std::vector<int64_t>{3, 5} : std::vector<int64_t>{2, 3, 3, 5};
  const auto allowed = torch::rand(size) < 0.5;
  const auto expected = weights_by_hand(x.query, x.key, allowed.expand({2, 3, 3, 5}));

  ScaledDotProduct core;
  AttentionParts parts;
  const auto context = core->forward({.query = x.query,
                                      .key = x.key,
                                      .value = x.value,
                                      .visible = {.allowed = allowed},
                                      .parts = &parts});
  REQUIRE(test::max_diff(parts.weights.to(torch::kDouble), expected) < 1e-6);
  const auto mixed = torch::matmul(expected, x.value.to(torch::kDouble));
  REQUIRE(test::max_diff(context.to(torch::kDouble), mixed) < 1e-6);
  REQUIRE(torch::equal(parts.scores == -INFINITY, ~allowed.expand({2, 3, 3, 5})));
}

TEST_CASE("a query that sees nothing gives zeros and finite gradients",
          "[nn][scaled_dot_product][unit]") {
  const auto impl = GENERATE(Impl::kExplicit, Impl::kFused, Impl::kAuto);
  const auto eye = torch::eye(2).view({1, 1, 2, 2});
  const Tensors x{eye.clone().requires_grad_(), eye.clone().requires_grad_(),
                  torch::tensor({1.0F, 2.0F, 3.0F, 4.0F}).view({1, 1, 2, 2}).requires_grad_()};
  const auto allowed = torch::tensor({1, 0, 0, 0}).to(torch::kBool).view({2, 2});
  const auto context = attend(x, {.allowed = allowed}, impl);
  const auto expected = torch::tensor({1.0F, 2.0F, 0.0F, 0.0F}).view({1, 1, 2, 2});
  REQUIRE(test::max_diff(context, expected) < 1e-6);
  for (const auto row : {0, 1}) {
    const auto sum = attend(x, {.allowed = allowed}, impl).select(2, row).sum();
    for (const auto& gradient : torch::autograd::grad({sum}, {x.query, x.key, x.value})) {
      REQUIRE(gradient.isfinite().all().item<bool>());
    }
  }
}

TEST_CASE("fused and explicit agree, gradients too, whatever is visible",
          "[nn][scaled_dot_product][property]") {
  const auto seed = GENERATE(range(0, 5));
  const auto kind = GENERATE(range(0, 7));
  CAPTURE(seed, kind);
  torch::manual_seed(seed);
  const int64_t query_len = kind == 5 ? 2 : 6;
  const auto x = make_tensors(3, 2, query_len, 6);
  Visible visible;
  int64_t past = 0;
  if (kind == 1 || kind == 4) visible.lengths = torch::tensor({6, 0, 2}, torch::kLong);
  if (kind == 2 || kind == 4 || kind == 5 || kind == 6) visible.causal = true;
  if (kind == 3 || kind == 6) visible.allowed = torch::rand({3, 1, query_len, 6}) < 0.5;
  if (kind == 5) past = 4;
  const auto plain = attend(x, visible, Impl::kExplicit, past);
  const auto fused = attend(x, visible, Impl::kFused, past);
  const auto chosen = attend(x, visible, Impl::kAuto, past);
  REQUIRE(test::max_diff(fused, plain) < 1e-5);
  REQUIRE(test::max_diff(chosen, plain) < 1e-5);
  const auto expected = gradients(plain, x);
  const auto actual = gradients(fused, x);
  const auto automatic = gradients(chosen, x);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(test::max_diff(actual[i], expected[i]) < 1e-5);
    REQUIRE(test::max_diff(automatic[i], expected[i]) < 1e-5);
  }
}

TEST_CASE("whatever lies behind the mask, results and gradients are those without it",
          "[nn][scaled_dot_product][property]") {
  const auto impl = GENERATE(Impl::kExplicit, Impl::kFused, Impl::kAuto);
  const auto huge = GENERATE(1e30F, -1e30F);
  const auto by_lengths = GENERATE(true, false);
  CAPTURE(static_cast<int>(impl), huge, by_lengths);
  torch::manual_seed(1);
  const auto seen = make_tensors(2, 2, 3, 4);
  const auto hidden = torch::full({2, 2, 2, 4}, huge);
  const Tensors padded{seen.query.detach().clone().requires_grad_(),
                       torch::cat({seen.key.detach(), hidden}, 2).requires_grad_(),
                       torch::cat({seen.value.detach(), hidden}, 2).requires_grad_()};
  Visible visible;
  if (by_lengths) visible.lengths = torch::full({2}, 4, torch::kLong);
  if (!by_lengths) visible.allowed = torch::arange(6) < 4;

  const auto context = attend(padded, visible, impl);
  const auto expected = attend(seen, {}, Impl::kExplicit);
  REQUIRE(test::max_diff(context, expected) < 1e-6);
  const auto actual = gradients(context, padded);
  const auto plain = gradients(expected, seen);
  REQUIRE(test::max_diff(actual[0], plain[0]) < 1e-5);
  for (const std::size_t i : {1, 2}) {
    REQUIRE(test::max_diff(actual[i].narrow(2, 0, 4), plain[i]) < 1e-5);
    REQUIRE(actual[i].narrow(2, 4, 2).abs().max().item<double>() == 0.0);
  }
}

TEST_CASE("padding on either side, with causality, equals each sentence alone",
          "[nn][scaled_dot_product][property]") {
  const auto impl = GENERATE(Impl::kExplicit, Impl::kFused, Impl::kAuto);
  const auto left = GENERATE(false, true);
  const auto type = GENERATE(torch::kFloat, torch::kBFloat16);
  CAPTURE(static_cast<int>(impl), left, type);
  torch::manual_seed(2);
  const torch::NoGradGuard no_grad;
  const auto whole = make_tensors(3, 2, 5, 5);
  const Tensors x{whole.query.to(type), whole.key.to(type), whole.value.to(type)};
  const std::vector<int64_t> lengths = {5, 4, 1};
  const auto length = torch::tensor(lengths).unsqueeze(1);
  const auto real = left ? torch::arange(5) >= 5 - length : torch::arange(5) < length;  // [B, T]
  const Visible visible{.causal = true, .allowed = real.view({3, 1, 1, 5})};
  const auto context = attend(x, visible, impl);
  REQUIRE(context.isfinite().all().item<bool>());
  for (int64_t b = 0; b < 3; ++b) {
    const int64_t first = left ? 5 - lengths[b] : 0;
    const auto cut = [&](const torch::Tensor& t) {
      return t.narrow(0, b, 1).narrow(2, first, lengths[b]);
    };
    const auto alone =
        attend({cut(x.query), cut(x.key), cut(x.value)}, {.causal = true}, Impl::kExplicit);
    const double bound = type == torch::kFloat ? 1e-5 : 2e-2;
    REQUIRE(test::max_diff(cut(context).to(torch::kFloat), alone.to(torch::kFloat)) < bound);
    if (left && first > 0) {
      REQUIRE(context[b].narrow(1, 0, first).abs().max().item<double>() == 0.0);
    }
  }
}

TEST_CASE("half precision with scores up to 30 stays within 2e-2 of fp32",
          "[nn][scaled_dot_product][property]") {
  const auto impl = GENERATE(Impl::kExplicit, Impl::kFused, Impl::kAuto);
  const auto type = GENERATE(torch::kBFloat16, torch::kHalf);
  const auto seed = GENERATE(3, 4, 5, 6);
  CAPTURE(static_cast<int>(impl), type, seed);
  torch::manual_seed(seed);
  const torch::NoGradGuard no_grad;
  auto x = make_tensors(2, 2, 4, 6);
  // Rounded first, so that only the arithmetic differs.
  const auto round = [&](const torch::Tensor& t, double width) {
    return (t.clamp(-1.0, 1.0) * width).to(type);
  };
  auto query = x.query, key = x.key;
  const double depth = static_cast<double>(query.size(-1));
  const auto scores = torch::matmul(query, key.transpose(-2, -1)) / std::sqrt(depth);
  query = query * (30.0 / scores.abs().max());  // the largest score is 30
  const Tensors narrow{query.to(type), key.to(type), round(x.value, 1.0)};
  const Tensors wide{narrow.query.to(torch::kFloat), narrow.key.to(torch::kFloat),
                     narrow.value.to(torch::kFloat)};
  const Visible visible{.lengths = torch::tensor({6, 3}, torch::kLong)};
  const auto context = attend(narrow, visible, impl);
  REQUIRE(context.scalar_type() == type);
  const auto expected = attend(wide, visible, Impl::kExplicit);
  REQUIRE(test::max_diff(context.to(torch::kFloat), expected) < 2e-2);
}

/// Whether LibTorch's kernel ran, and not its quadratic form.
bool kernel_ran(torch::Device device, const Visible& visible) {
  static bool fused, quadratic;
  fused = quadratic = false;
  const auto handle = at::addThreadLocalCallback(at::RecordFunctionCallback(
      [](const at::RecordFunction& function) -> std::unique_ptr<at::ObserverContext> {
        const std::string name = function.name();
        quadratic |= name.find("attention_math") != name.npos;
        fused |= name.find("_scaled_dot_product_") != name.npos &&
                 name.find("attention_math") == name.npos;
        return nullptr;
      }));
  const auto x = torch::randn({2, 4, 128, 64}, device);
  ScaledDotProduct core(ScaledDotProductOptions{.impl = Impl::kFused});
  core->forward({.query = x, .key = x, .value = x, .visible = visible});
  at::removeCallback(handle);
  return fused && !quadratic;
}

TEST_CASE("the fused call runs a kernel of LibTorch on the CPU", "[nn][scaled_dot_product][unit]") {
  const torch::NoGradGuard no_grad;
  const auto lengths = torch::tensor({128, 100}, torch::kLong);
  REQUIRE(kernel_ran(torch::kCPU, {}));
  REQUIRE(kernel_ran(torch::kCPU, {.causal = true}));
  REQUIRE(kernel_ran(torch::kCPU, {.lengths = lengths}));
}

TEST_CASE("the fused call runs a kernel of LibTorch on CUDA", "[nn][scaled_dot_product][cuda]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) {
    WARN("skipped: there is no CUDA device here");
    return;
  }
  const torch::NoGradGuard no_grad;
  REQUIRE(kernel_ran(torch::kCUDA, {}));
  REQUIRE(kernel_ran(torch::kCUDA, {.causal = true}));
  REQUIRE(kernel_ran(torch::kCUDA,
                     {.lengths = torch::tensor({128, 100}, torch::kLong).to(torch::kCUDA)}));
}

TEST_CASE("dropout acts on the context, never on the weights shown",
          "[nn][scaled_dot_product][unit]") {
  torch::manual_seed(1);
  const auto x = make_tensors(2, 2, 3, 5);
  ScaledDotProduct core(ScaledDotProductOptions{.dropout = 0.5});
  const Noise noise{.seed = 1, .step = 1, .examples = torch::arange(2)};
  AttentionParts parts;
  const auto context = core->forward(
      {.query = x.query, .key = x.key, .value = x.value, .parts = &parts, .noise = &noise});
  const auto plain = attend(x, {}, Impl::kExplicit);
  REQUIRE(test::max_diff(context, plain) > 1e-2);
  const auto sums = parts.weights.sum(-1);
  REQUIRE(test::max_diff(sums, torch::ones_like(sums)) < 1e-5);
  core->eval();
  const auto quiet =
      core->forward({.query = x.query, .key = x.key, .value = x.value, .noise = &noise});
  REQUIRE(test::max_diff(quiet, plain) < 1e-6);
}

/// Names of the operators that run meanwhile.
std::set<std::string> operators_of(const std::function<void()>& work) {
  static std::set<std::string> seen;
  seen.clear();
  const auto handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback([](const at::RecordFunction& function)
                                     -> std::unique_ptr<at::ObserverContext> {
        seen.insert(function.name());
        return nullptr;
      }).scopes({at::RecordScope::FUNCTION}));
  work();
  at::removeCallback(handle);
  return seen;
}

constexpr auto kFlash = "aten::_scaled_dot_product_flash_attention_for_cpu";

TEST_CASE("LibTorch's kernel really runs, for everything that can be visible",
          "[nn][scaled_dot_product][unit]") {
  const auto impl = GENERATE(Impl::kFused, Impl::kAuto);
  const auto kind = GENERATE(range(0, 5));
  CAPTURE(static_cast<int>(impl), kind);
  torch::manual_seed(1);
  const auto x = make_tensors(2, 2, 6, 6);
  Visible visible;
  if (kind == 1) visible.causal = true;
  if (kind == 2) visible.lengths = torch::tensor({6, 2}, torch::kLong);
  if (kind == 3) visible.allowed = torch::rand({6, 6}) < 0.5;
  Alibi alibi(2);
  ScaledDotProduct core(ScaledDotProductOptions{.impl = impl});
  const auto seen = operators_of([&] {
    core->forward({.query = x.query,
                   .key = x.key,
                   .value = x.value,
                   .visible = visible,
                   .bias = kind == 4 ? alibi.get() : nullptr});
  });
  REQUIRE(seen.contains(kFlash));
  REQUIRE_FALSE(seen.contains("aten::softmax"));
}

TEST_CASE("what LibTorch's kernel can't do goes through blocks when fused is asked for",
          "[nn][scaled_dot_product][property]") {
  const auto drops = GENERATE(true, false);
  const auto causal = GENERATE(true, false);
  CAPTURE(drops, causal);
  torch::manual_seed(1);
  auto x = make_tensors(2, 2, 150, 150);
  if (!drops) x.value = torch::randn({2, 2, 150, 7}).requires_grad_();  // of another depth
  const Noise noise{.seed = 1, .step = 1, .examples = torch::arange(2)};
  const auto run = [&](Impl impl) {
    ScaledDotProduct core(ScaledDotProductOptions{.dropout = drops ? 0.3 : 0.0, .impl = impl});
    return core->forward(
        {.query = x.query,
         .key = x.key,
         .value = x.value,
         .visible = {.lengths = torch::tensor({150, 20}, torch::kLong), .causal = causal},
         .noise = drops ? &noise : nullptr});
  };
  torch::Tensor context;
  const auto seen = operators_of([&] { context = run(Impl::kFused); });
  REQUIRE_FALSE(seen.contains(kFlash));
  const auto plain = run(Impl::kExplicit);
  REQUIRE(test::max_diff(context, plain) < 1e-5);
  REQUIRE(test::max_diff(context, run(Impl::kAuto)) < 1e-5);
  const auto actual = gradients(context, x);
  const auto expected = gradients(plain, x);
  for (std::size_t i = 0; i < 3; ++i) REQUIRE(test::max_diff(actual[i], expected[i]) < 1e-4);
}

TEST_CASE("a bias gives the same in every impl", "[nn][scaled_dot_product][property]") {
  const auto kind = GENERATE(range(0, 4));
  CAPTURE(kind);
  torch::manual_seed(1);
  const auto x = make_tensors(2, 2, 6, 6);
  Visible visible;
  if (kind == 1 || kind == 3) visible.causal = true;
  if (kind >= 2) visible.lengths = torch::tensor({6, 0}, torch::kLong);
  Alibi alibi(2);
  const auto run = [&](Impl impl) {
    ScaledDotProduct core(ScaledDotProductOptions{.impl = impl});
    return core->forward({.query = x.query,
                          .key = x.key,
                          .value = x.value,
                          .visible = visible,
                          .bias = alibi.get()});
  };
  const auto plain = run(Impl::kExplicit);
  REQUIRE(test::max_diff(run(Impl::kFused), plain) < 1e-5);
  REQUIRE(test::max_diff(plain, attend(x, visible, Impl::kExplicit)) > 1e-3);
  const auto actual = gradients(run(Impl::kFused), x);
  const auto expected = gradients(plain, x);
  for (std::size_t i = 0; i < 3; ++i) REQUIRE(test::max_diff(actual[i], expected[i]) < 1e-5);
}

TEST_CASE("query and key of different depth are named", "[nn][scaled_dot_product][unit]") {
  const auto x = make_tensors(1, 1, 2, 2);
  const Tensors wrong{x.query.narrow(3, 0, 3), x.key, x.value};
  REQUIRE_THROWS_WITH(attend(wrong, {}, Impl::kAuto),
                      test::ContainsSubstring("query depth 3 != key depth 4"));
}

}  // namespace
}  // namespace heed::nn
