#include "nn/kernels/recurrence.h"

#include <torch/csrc/autograd/autograd.h>

#include "nn/gradients.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

constexpr int64_t kBatch = 4;
const std::vector<int64_t> kSizes = {3, 3, 2, 1, 1};  // the fourth row has no token

Recurrence make_run(CellType type, int64_t width, torch::ScalarType dtype = torch::kFloat) {
  const int64_t gates = gate_count(type) * width;
  const auto leaf = [dtype](torch::IntArrayRef size) {
    return torch::randn(size, dtype).requires_grad_();
  };
  return {.type = type,
          .input = leaf({10, gates}),
          .hidden = leaf({kBatch, width}),
          .cell = type == CellType::kLstm ? leaf({kBatch, width}) : torch::Tensor(),
          .weight = leaf({gates, width}),
          .bias = leaf({gates}),
          .batch_sizes = kSizes};
}

std::vector<torch::Tensor> leaves_of(const Recurrence& run) {
  std::vector<torch::Tensor> leaves{run.input, run.hidden, run.weight, run.bias};
  if (run.cell.defined()) leaves.push_back(run.cell);
  return leaves;
}

/// Gradients of all outputs, each weighted by other numbers.
std::vector<torch::Tensor> gradients_of_run(const Recurrence& run, const Recurred& out) {
  const auto weighted = [](const torch::Tensor& x) {
    return (x * torch::arange(x.numel(), x.options()).view(x.sizes()).sin()).sum();
  };
  auto loss = weighted(out.states) + 2.0 * weighted(out.hidden);
  if (out.cell.defined()) loss = loss + 3.0 * weighted(out.cell);
  return test::gradients_of(loss, leaves_of(run));
}

TEST_CASE("the fused recurrence and its gradients equal the plain formula",
          "[nn][recurrence][property]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  const auto width = GENERATE(1, 5, 8, 13);
  const auto reverse = GENERATE(false, true);
  const auto masks = GENERATE(false, true);
  CAPTURE(width, reverse, masks);
  torch::manual_seed(width);
  auto run = make_run(type, width);
  run.reverse = reverse;
  if (masks) run.state_mask = torch::randint(0, 2, {kBatch, width}).to(torch::kFloat) * 1.25;
  REQUIRE(has_fused_recurrence(run));
  const auto fused = recurrence(run);
  const auto plain = recurrence_explicit(run);
  REQUIRE(test::max_diff(fused.states, plain.states) < 1e-5);
  REQUIRE(test::max_diff(fused.hidden, plain.hidden) < 1e-5);
  REQUIRE(fused.cell.defined() == (type == CellType::kLstm));
  if (fused.cell.defined()) REQUIRE(test::max_diff(fused.cell, plain.cell) < 1e-5);
  REQUIRE(torch::equal(fused.hidden[3], run.hidden[3]));  // it had no token

  const auto found = gradients_of_run(run, fused);
  const auto expected = gradients_of_run(run, plain);
  test::require_close(found, expected);
}

TEST_CASE("without gradients the fused recurrence gives the same numbers",
          "[nn][recurrence][unit]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  torch::manual_seed(1);
  const auto run = make_run(type, 9);
  const auto tracked = recurrence(run);
  const torch::NoGradGuard no_grad;
  const auto plain = recurrence(run);
  REQUIRE(torch::equal(tracked.states, plain.states));
  REQUIRE(torch::equal(tracked.hidden, plain.hidden));
  REQUIRE_FALSE(plain.states.requires_grad());
}

TEST_CASE("two threads compute what one computes", "[nn][recurrence][unit]") {
  torch::manual_seed(2);
  const torch::NoGradGuard no_grad;
  Recurrence run{.type = CellType::kGru,
                 .input = torch::randn({600, 96}),
                 .hidden = torch::randn({300, 32}),
                 .weight = torch::randn({96, 32}),
                 .bias = torch::randn({96}),
                 .batch_sizes = {300, 200, 100}};
  const auto one = recurrence(run);
  torch::set_num_threads(2);
  const auto two = recurrence(run);
  torch::set_num_threads(1);
  REQUIRE(test::max_diff(one.states, two.states) < 1e-5);
}

TEST_CASE("the plain formula's gradients are those of small differences",
          "[nn][recurrence][property]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  const auto norms = GENERATE(false, true);
  CAPTURE(norms);
  torch::manual_seed(3);
  auto run = make_run(type, 3, torch::kDouble);
  if (norms) run.norm_weight = torch::randn({gate_count(type) * 3}, torch::kDouble);
  if (norms && type == CellType::kLstm) {
    run.cell_norm_weight = torch::randn({3}, torch::kDouble);
    run.cell_norm_bias = torch::randn({3}, torch::kDouble);
  }
  const auto loss = [&] {
    const auto out = recurrence(run);
    return (out.states.sin().sum() + out.hidden.square().sum());
  };
  const auto found = test::gradients_of(loss(), leaves_of(run));
  const torch::NoGradGuard no_grad;
  for (std::size_t leaf = 0; leaf < found.size(); ++leaf) {
    auto flat = leaves_of(run)[leaf].view({-1});
    for (int64_t i = 0; i < flat.numel(); ++i) {
      const double before = flat[i].item<double>();
      flat[i] = before + 1e-6;
      const double above = loss().item<double>();
      flat[i] = before - 1e-6;
      const double below = loss().item<double>();
      flat[i] = before;
      const double expected = (above - below) / 2e-6;
      REQUIRE(std::abs(found[leaf].view({-1})[i].item<double>() - expected) < 1e-6);
    }
  }
}

TEST_CASE("rows that have no token at all keep their state", "[nn][recurrence][unit]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  auto run = make_run(type, 4);
  run.input = torch::empty({0, gate_count(type) * 4});
  run.batch_sizes = {};
  const auto out = recurrence(run);
  REQUIRE(out.states.sizes() == torch::IntArrayRef({0, 4}));
  REQUIRE(torch::equal(out.hidden, run.hidden));
  (out.states.sum() + out.hidden.sum()).backward();
  REQUIRE(torch::equal(run.hidden.grad(), torch::ones_like(run.hidden)));
  REQUIRE(run.weight.grad().abs().max().item<double>() == 0.0);
}

TEST_CASE("layer norm takes the plain path", "[nn][recurrence][unit]") {
  auto run = make_run(CellType::kGru, 4);
  run.norm_weight = torch::ones({12});
  REQUIRE_FALSE(has_fused_recurrence(run));
  REQUIRE_FALSE(has_fused_recurrence(make_run(CellType::kGru, 4, torch::kDouble)));
}

TEST_CASE("a path is chosen by device, type, layer norm and state mask", "[nn][recurrence][unit]") {
  const auto path = [](torch::Device device, bool layer_norm, bool state_mask) {
    return recurrence_path(device, torch::kFloat, layer_norm, state_mask);
  };
  REQUIRE(path(torch::kCPU, false, false) == RecurrencePath::kFused);
  REQUIRE(path(torch::kCPU, false, true) == RecurrencePath::kFused);
  REQUIRE(path(torch::kCPU, true, false) == RecurrencePath::kExplicit);
  REQUIRE(path(torch::kCUDA, false, false) == RecurrencePath::kLibrary);
  REQUIRE(path(torch::kCUDA, false, true) == RecurrencePath::kExplicit);
  REQUIRE(path(torch::kCUDA, true, false) == RecurrencePath::kExplicit);
}

TEST_CASE("shapes that disagree are named with both sides", "[nn][recurrence][unit]") {
  auto run = make_run(CellType::kGru, 4);
  run.batch_sizes = {3, 3, 3};
  REQUIRE_THROWS_WITH(recurrence(run), test::ContainsSubstring("10 tokens for steps of 9"));
  run.batch_sizes = {3, 4, 3};
  REQUIRE_THROWS_WITH(recurrence(run), test::ContainsSubstring("longest rows must come first"));
  run.batch_sizes = {5, 5};
  REQUIRE_THROWS_WITH(recurrence(run), test::ContainsSubstring("5 rows for 4 states"));
  run.cell = torch::zeros({4, 4});
  REQUIRE_THROWS_WITH(recurrence(run), test::ContainsSubstring("a GRU none"));
}

}  // namespace
}  // namespace heed::nn
