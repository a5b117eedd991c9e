#include "nn/attention/running_sums.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

Sums make_sums() { return {torch::randn({3, 2, 1, 4}), torch::randn({3, 2, 4, 5})}; }

TEST_CASE("running sums count tokens up to their room", "[nn][running_sums][unit]") {
  RunningSums cache(3);
  cache.select(torch::tensor({0, 1}, torch::kLong));  // nothing there yet
  cache.advance(make_sums(), 2);
  REQUIRE(cache.past() == 2);
  REQUIRE_THROWS_WITH(cache.advance(make_sums(), 2),
                      test::ContainsSubstring("2 + 2 tokens exceed the room for 3"));
}

TEST_CASE("sums of rows are selected with them", "[nn][running_sums][unit]") {
  torch::manual_seed(1);
  const auto sums = make_sums();
  const auto rows = torch::tensor({2, 2, 0}, torch::kLong);
  RunningSums cache(3);
  cache.advance(sums, 1);
  cache.select(rows);
  REQUIRE(torch::equal(cache.sums().key, sums.key.index_select(0, rows)));
  REQUIRE(torch::equal(cache.sums().value, sums.value.index_select(0, rows)));

  const auto key = torch::randn({3, 2, 6, 4});
  SummedMemory memory(key, key, torch::tensor({6, 1, 2}, torch::kLong), {}, sums);
  memory.select(rows);
  REQUIRE(torch::equal(memory.sums().value, sums.value.index_select(0, rows)));
  REQUIRE(torch::equal(memory.key(), key.index_select(0, rows)));
  REQUIRE(torch::equal(memory.lengths(), torch::tensor({2, 2, 6}, torch::kLong)));
}

}  // namespace
}  // namespace heed::nn
