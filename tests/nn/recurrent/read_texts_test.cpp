#include "nn/recurrent/read_texts.h"

#include "nn/gradients.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

const std::vector<int64_t> kSteps = {3, 3, 2, 1};  // the fourth text has no token

TextReader make_reader(CellType type) {
  const auto state = [] { return torch::randn({4, 6}).requires_grad_(); };
  return {
      .cell = Cell(CellOptions{.type = type, .in = 5, .width = 6}),
      .state = {.hidden = state(), .cell = type == CellType::kLstm ? state() : torch::Tensor()}};
}

std::vector<torch::Tensor> leaves_of(const std::vector<TextReader>& readers) {
  std::vector<torch::Tensor> leaves;
  for (const auto& [cell, state, mask] : readers) {
    leaves.push_back(state.hidden);
    if (state.cell.defined()) leaves.push_back(state.cell);
    for (const auto& parameter : cell->parameters()) leaves.push_back(parameter);
  }
  return leaves;
}

TEST_CASE("LibTorch's own layers read as the fused pass does, gradients too",
          "[nn][read_texts][property]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  const auto directions = GENERATE(1, 2);
  CAPTURE(directions);
  torch::manual_seed(directions);
  std::vector<TextReader> readers;
  for (int i = 0; i < directions; ++i) readers.push_back(make_reader(type));
  const auto x = torch::randn({9, 5}).requires_grad_();
  REQUIRE(readers[0].cell->path(/*state_mask=*/false) == RecurrencePath::kFused);

  const auto fused = read_texts(readers, x, kSteps);
  const auto library = read_texts_by_library(readers, x, kSteps);
  REQUIRE(fused.sizes() == torch::IntArrayRef({9, 6 * directions}));
  REQUIRE(test::max_diff(fused, library) < 1e-6);

  auto leaves = leaves_of(readers);
  leaves.push_back(x);
  const auto weight = torch::randn_like(fused);
  const auto expected = test::gradients_of((fused * weight).sum(), leaves);
  const auto found = test::gradients_of((library * weight).sum(), leaves);
  test::require_close(found, expected);
}

TEST_CASE("a second reader begins at the last token of each text", "[nn][read_texts][unit]") {
  torch::manual_seed(3);
  const torch::NoGradGuard no_grad;
  const auto reader = make_reader(CellType::kGru);
  const auto x = torch::randn({3, 5});  // one text of three tokens
  const auto both = read_texts({reader, reader}, x, {1, 1, 1});
  const auto turned = read_texts({reader}, x.flip(0), {1, 1, 1});
  REQUIRE(test::max_diff(both.narrow(1, 6, 6), turned.flip(0)) < 1e-6);
  REQUIRE(read_texts({reader}, x.narrow(0, 0, 0), {}).sizes() == torch::IntArrayRef({0, 6}));
}

}  // namespace
}  // namespace heed::nn
