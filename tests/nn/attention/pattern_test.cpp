#include "nn/attention/pattern.h"

#include "nn/attention/random_keys.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

CoreInput pattern_input(int64_t len, const Visible& visible = {}) {
  const auto x = torch::randn({2, 3, len, 4});
  return {.query = x, .key = x, .value = x, .visible = visible};
}

bool mask_sees(const torch::Tensor& mask, int64_t query, int64_t key) {
  return mask.expand({2, 3, -1, -1})[0][0][query][key].item<bool>();
}

TEST_CASE("a window reaches as far on either side, and no farther", "[nn][pattern][unit]") {
  const auto mask = pattern_mask({.window = 2}, pattern_input(7));
  const auto position = torch::arange(7);
  const auto expected = (position - position.unsqueeze(1)).abs() <= 2;
  REQUIRE(torch::equal(mask.squeeze(), expected));
  const auto causal = pattern_mask({.window = 2}, pattern_input(7, {.causal = true}));
  REQUIRE(torch::equal(causal.squeeze(), expected.tril()));
}

TEST_CASE("global tokens see and are seen by all, by position and by mark", "[nn][pattern][unit]") {
  auto marks = torch::zeros({2, 9}, torch::kBool);
  marks[0][7] = true;
  const auto mask =
      pattern_mask({.window = 1, .global_positions = {3, 30}}, pattern_input(9, {.global = marks}));
  const auto first = mask.expand({2, 3, 9, 9})[0][0];
  for (const int64_t global : {3, 7}) {
    REQUIRE(first[global].all().item<bool>());
    REQUIRE(first.select(1, global).all().item<bool>());
  }
  REQUIRE_FALSE(mask_sees(mask, 0, 5));
  const auto second = mask.expand({2, 3, 9, 9})[1][0];
  REQUIRE_FALSE(second[7][0].item<bool>());
}

TEST_CASE("under causality a global token sees and is seen by what comes after it only",
          "[nn][pattern][unit]") {
  const auto mask =
      pattern_mask({.window = 1, .global_positions = {4}}, pattern_input(9, {.causal = true}));
  REQUIRE(mask_sees(mask, 8, 4));
  REQUIRE(mask_sees(mask, 4, 0));
  REQUIRE_FALSE(mask_sees(mask, 4, 5));
  REQUIRE_FALSE(mask_sees(mask, 3, 4));
}

TEST_CASE("every query of a block meets its random keys besides the window",
          "[nn][pattern][property]") {
  const auto causal = GENERATE(false, true);
  const Pattern pattern{.window = 1, .random = 2, .block = 4};
  const auto input = pattern_input(12, {.causal = causal});
  const auto mask = pattern_mask(pattern, input).expand({2, 3, -1, -1});
  const RandomKeys random(pattern, input.visible, 3, 12, torch::kCPU);
  for (int64_t block = 0; block < 3; ++block) {
    const auto keys = random.of_block(block);
    for (int64_t h = 0; h < 3; ++h) {
      for (int64_t i = 0; i < 2; ++i) {
        const auto key = keys[0][h][i].item<int64_t>();
        if (key < 0) continue;
        REQUIRE(mask[0][h].narrow(0, block * 4, 4).select(1, key).all().item<bool>());
      }
    }
  }
  const auto position = torch::arange(12);
  auto near = (position - position.unsqueeze(1)).abs() <= 1;
  if (causal) near = near.tril();
  const auto besides = (mask & ~near).sum(-1);  // [B, H, Tq]
  REQUIRE((besides <= 2).all().item<bool>());
  REQUIRE((besides.narrow(2, 8, 4) == 2).all().item<bool>());
}

TEST_CASE("what all is near hides nothing", "[nn][pattern][unit]") {
  REQUIRE(hides_nothing({}, pattern_input(100)));
  REQUIRE(hides_nothing({.window = 4}, pattern_input(5)));
  REQUIRE_FALSE(hides_nothing({.window = 4}, pattern_input(6)));
  REQUIRE_FALSE(pattern_mask({.window = 4, .global_positions = {1}}, pattern_input(5)).defined());
  auto ring = pattern_input(5);
  ring.kept = KeptPositions{.sinks = 0, .ring = 5, .count = 90};
  REQUIRE(hides_nothing({.window = 4}, ring));
  ring.kept->sinks = 2;
  REQUIRE_FALSE(hides_nothing({.window = 4}, ring));
}

TEST_CASE("kept keys are met by their positions", "[nn][pattern][unit]") {
  const Pattern pattern{.window = 2, .global_positions = {1}};
  auto input = pattern_input(1);
  input.past = 9;
  input.kept = KeptPositions{.sinks = 2, .ring = 4, .count = 10};  // 0 1 and 6..9 in turn
  const auto mask = pattern_mask(pattern, input).flatten();
  const auto places = input.kept->tensor(torch::kCPU);
  const auto expected = (places == 1) | (places >= 7);
  REQUIRE(torch::equal(mask, expected));
  input.visible.allowed = places != 8;
  REQUIRE(torch::equal(pattern_mask(pattern, input).flatten(), expected & (places != 8)));
}

}  // namespace
}  // namespace heed::nn
