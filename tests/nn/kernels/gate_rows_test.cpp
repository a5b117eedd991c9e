#include "nn/kernels/gate_rows.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

TEST_CASE("a step of rows is the formula of its cell, and keeps nothing where nothing is asked for",
          "[nn][gate_rows][property]") {
  const auto type = GENERATE(CellType::kLstm, CellType::kGru);
  const auto width = GENERATE(1, 7, 8, 19);
  CAPTURE(width);
  torch::manual_seed(width);
  const int64_t gates = gate_count(type);
  const auto input = torch::randn({3, gates * width});
  const auto recurrent = torch::randn({3, gates * width});
  const auto bias = torch::randn({gates * width});
  const auto hidden = torch::randn({3, width});
  const auto cell = torch::randn({3, width});
  const auto new_hidden = hidden.clone();
  const auto new_cell = cell.clone();
  const auto states = torch::empty({3, width});
  forward_gates(type, {.rows = 3,
                       .width = width,
                       .input = input.const_data_ptr<float>(),
                       .recurrent = recurrent.const_data_ptr<float>(),
                       .bias = bias.const_data_ptr<float>(),
                       .hidden = new_hidden.mutable_data_ptr<float>(),
                       .cell = new_cell.mutable_data_ptr<float>(),
                       .states = states.mutable_data_ptr<float>()});

  const auto x = input.chunk(gates, -1);
  const auto u = (recurrent + bias).chunk(gates, -1);
  if (type == CellType::kLstm) {
    const auto next =
        (x[1] + u[1]).sigmoid() * cell + (x[0] + u[0]).sigmoid() * (x[2] + u[2]).tanh();
    REQUIRE(test::max_diff(new_cell, next) < 1e-6);
    REQUIRE(test::max_diff(states, (x[3] + u[3]).sigmoid() * next.tanh()) < 1e-6);
  } else {
    const auto n = (x[2] + (x[0] + u[0]).sigmoid() * u[2]).tanh();
    const auto z = (x[1] + u[1]).sigmoid();
    REQUIRE(test::max_diff(states, (1.0 - z) * n + z * hidden) < 1e-6);
  }
  REQUIRE(torch::equal(states, new_hidden));
}

}  // namespace
}  // namespace heed::nn
