#include "nn/attention/kept_visible.h"

#include "support/catch.h"

namespace heed::nn {
namespace {

const KeptPositions kKept{.sinks = 2, .ring = 3, .count = 10};  // 0 1 and 8 9 7

TEST_CASE("lengths and masks of all positions become those of the keys kept",
          "[nn][kept_visible][unit]") {
  REQUIRE_FALSE(visible_of_kept({.causal = true}, kKept, torch::kCPU).allowed.defined());
  const auto allowed = torch::arange(10) != 8;
  const auto lengths = torch::tensor({10, 9}, torch::kLong);
  const Visible visible{.lengths = lengths, .causal = true, .allowed = allowed};
  const auto seen = visible_of_kept(visible, kKept, torch::kCPU);
  REQUIRE_FALSE(seen.causal);
  REQUIRE_FALSE(seen.lengths.defined());
  const auto expected =
      torch::tensor({true, true, false, true, true, true, true, false, false, true});
  REQUIRE(torch::equal(seen.allowed, expected.view({2, 1, 1, 5})));
}

TEST_CASE("a mask of another length is refused with both", "[nn][kept_visible][unit]") {
  const Visible visible{.allowed = torch::ones({1, 5}, torch::kBool)};
  REQUIRE_THROWS_WITH(visible_of_kept(visible, kKept, torch::kCPU),
                      test::ContainsSubstring("allowed covers 5 keys, and the cache has seen 10"));
}

TEST_CASE("one of several queries has its row, up to itself", "[nn][kept_visible][unit]") {
  const auto allowed = torch::rand({2, 1, 3, 7}) < 0.5;  // queries at 4, 5 and 6
  const auto one = visible_of_one({.allowed = allowed}, 4, 1);
  REQUIRE(torch::equal(one.allowed, allowed.narrow(2, 1, 1).narrow(3, 0, 6)));
  const auto of_keys = torch::rand({7}) < 0.5;
  REQUIRE(
      torch::equal(visible_of_one({.allowed = of_keys}, 4, 0).allowed, of_keys.narrow(0, 0, 5)));
}

}  // namespace
}  // namespace heed::nn
