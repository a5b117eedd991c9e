#include "nn/recurrent/cell.h"

#include "nn/dropout.h"
#include "nn/recurrent/packing.h"
#include "nn/recurrent_golden.h"

namespace heed::nn {
namespace {

CellOptions options_of(CellType type) { return {.type = type, .in = 5, .width = 6}; }

TEST_CASE("each gate's recurrent weight begins orthogonal, and an LSTM remembers",
          "[nn][cell][unit]") {
  torch::manual_seed(1);
  for (const auto type : {CellType::kLstm, CellType::kGru}) {
    const Cell cell(options_of(type));
    const auto named = cell->named_parameters();
    for (const auto& gate : named["weight_hh"].chunk(gate_count(type))) {
      REQUIRE(test::max_diff(torch::mm(gate, gate.t()), torch::eye(6)) < 1e-5);
    }
    auto expected = torch::zeros({gate_count(type) * 6});
    if (type == CellType::kLstm) expected.narrow(0, 6, 6).fill_(1.0);
    REQUIRE(torch::equal(named["bias_ih"], expected));
    REQUIRE(named["bias_hh"].abs().max().item<double>() == 0.0);
  }
}

TEST_CASE("the input's weights of each gate begin within Xavier's bound of a matrix of its own",
          "[nn][cell][unit]") {
  torch::manual_seed(2);
  const Cell cell(CellOptions{.type = CellType::kGru, .in = 60, .width = 40});
  const double bound = std::sqrt(6.0 / 100.0);
  const double most = cell->named_parameters()["weight_ih"].abs().max().item<double>();
  REQUIRE(most <= bound);
  REQUIRE(most > 0.9 * bound);
}

TEST_CASE("layer norm makes a cell blind to the scale of its input", "[nn][cell][property]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  torch::manual_seed(3);
  auto options = options_of(type);
  options.layer_norm = true;
  const Cell cell(options);
  REQUIRE(cell->named_parameters().size() == (type == CellType::kLstm ? 8 : 6));
  const auto x = torch::randn({4, 5});
  REQUIRE(test::max_diff(cell->project(x), cell->project(10.0 * x)) < 1e-3);
  const auto run = [&](const torch::Tensor& input) {
    return cell->forward(cell->project(input), cell->zeros(2), {2, 2}, false, {}).states;
  };
  REQUIRE(test::max_diff(run(x), run(10.0 * x)) < 1e-3);
  run(x).square().sum().backward();
  for (const auto& parameter : cell->named_parameters()) {
    CAPTURE(parameter.key());
    REQUIRE(parameter->grad().isfinite().all().item<bool>());
    REQUIRE(parameter->grad().abs().max().item<double>() > 0.0);
  }
}

TEST_CASE("dropped units of a state are the same at every step, and only with noise",
          "[nn][cell][unit]") {
  auto options = options_of(CellType::kGru);
  options.state_dropout = 0.5;
  Cell cell(options);
  const Noise noise{.seed = 1, .step = 1, .examples = torch::arange(50)};
  const auto mask = cell->state_mask(50, &noise);
  REQUIRE(mask.sizes() == torch::IntArrayRef({50, 6}));
  REQUIRE((mask.eq(0.0) | mask.eq(2.0)).all().item<bool>());
  REQUIRE(std::abs(mask.mean().item<double>() - 1.0) < 0.2);
  REQUIRE(torch::equal(mask, cell->state_mask(50, &noise)));
  REQUIRE_FALSE(cell->state_mask(50, nullptr).defined());
  cell->eval();
  REQUIRE_FALSE(cell->state_mask(50, &noise).defined());
}

TEST_CASE("each text ends with PyTorch's state, in both directions", "[nn][cell][golden]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  const auto reverse = GENERATE(false, true);
  CAPTURE(reverse);
  const auto& all = test::recurrent_golden();
  const auto& golden = all.at(type == CellType::kLstm ? "lstm_both" : "gru_both");
  Cell cell(CellOptions{.type = type, .in = 5, .width = 3});
  std::map<std::string, test::Same> names;
  for (const auto* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
    names[name] = {std::string(name) + (reverse ? "_l0_reverse" : "_l0")};
  }
  test::copy_golden(*cell, names, golden);
  const auto lengths = torch::tensor(all.at("lengths").get<std::vector<int64_t>>(), torch::kLong);
  const auto x = test::golden_input(golden, "x");
  const Packing packing(lengths, x.size(1), torch::kCPU);
  const auto out = cell->forward(cell->project(packing.pack(x)), cell->zeros(x.size(0)),
                                 packing.batch_sizes(), reverse, {});
  const auto expected = [&](const char* name) {
    return test::golden_tensor(golden.at("last").at(name))[reverse ? 1 : 0];  // of the first layer
  };
  REQUIRE(test::max_diff(packing.original(out.hidden), expected("hidden")) < 1e-6);
  if (type == CellType::kLstm) {
    REQUIRE(test::max_diff(packing.original(out.cell), expected("cell")) < 1e-6);
  }
}

TEST_CASE("a state keeps its first rows, and rows by number", "[nn][cell][unit]") {
  const CellState state{.hidden = torch::arange(6).view({3, 2}), .cell = torch::ones({3, 2})};
  REQUIRE(torch::equal(state.narrow(2).hidden, torch::arange(4).view({2, 2})));
  REQUIRE(state.narrow(3).hidden.is_same(state.hidden));
  const auto selected = state.select(torch::tensor({2, 0, 2}, torch::kLong));
  REQUIRE(torch::equal(selected.hidden[0], selected.hidden[2]));
  REQUIRE(selected.cell.size(0) == 3);
  REQUIRE_FALSE(CellState{.hidden = state.hidden}.narrow(1).cell.defined());
}

}  // namespace
}  // namespace heed::nn
