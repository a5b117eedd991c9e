#include "model/rnn_state.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::model {
namespace {

RnnState make_state() {
  const auto numbers = torch::arange(3, torch::kFloat).unsqueeze(1);  // [3, 1]
  return RnnState({.layers = {{.hidden = numbers, .cell = numbers + 10.0}, {.hidden = numbers}},
                   .fed = numbers + 20.0},
                  {.keys = numbers.unsqueeze(1),
                   .values = numbers.unsqueeze(1) + 30.0,
                   .lengths = torch::tensor({1, 1, 0}, torch::kLong)});
}

TEST_CASE("selecting moves all that a hypothesis carries, and keeps the memory it shares",
          "[model][rnn_state][unit]") {
  auto state = make_state();
  REQUIRE(state.rows() == 3);
  REQUIRE(state.memory_rows() == 3);
  const auto* keys = state.memory().keys.data_ptr();
  state.select(torch::tensor({1, 1, 0, 2, 2, 2}, torch::kLong), {});
  REQUIRE(state.rows() == 6);
  REQUIRE(state.memory_rows() == 3);
  REQUIRE(state.memory().keys.data_ptr() == keys);
  const auto expected = torch::tensor({1.0f, 1.0f, 0.0f, 2.0f, 2.0f, 2.0f}).unsqueeze(1);
  REQUIRE(torch::equal(state.carried().layers[0].hidden, expected));
  REQUIRE(torch::equal(state.carried().layers[0].cell, expected + 10.0));
  REQUIRE(torch::equal(state.carried().layers[1].hidden, expected));
  REQUIRE_FALSE(state.carried().layers[1].cell.defined());
  REQUIRE(torch::equal(state.carried().fed, expected + 20.0));

  state.select(torch::tensor({5, 0}, torch::kLong), torch::tensor({2, 1}, torch::kLong));
  REQUIRE(state.memory_rows() == 2);
  REQUIRE(torch::equal(state.memory().lengths, torch::tensor({0, 1}, torch::kLong)));
  REQUIRE(state.memory().values[0].item<float>() == 32.0f);
}

TEST_CASE("rows that don't share their sources evenly are refused", "[model][rnn_state][unit]") {
  auto state = make_state();
  REQUIRE_THROWS_WITH(state.select(torch::arange(2), {}),
                      test::ContainsSubstring("2 hypotheses do not share 3 memory rows evenly"));
}

TEST_CASE("a state counts the tokens it has read", "[model][rnn_state][unit]") {
  auto state = make_state();
  REQUIRE(state.position() == 0);
  state.advance(state.carried());
  REQUIRE(state.position() == 1);
}

}  // namespace
}  // namespace heed::model
