#include "nn/attention/key_value_cache.h"

#include "support/catch.h"

namespace heed::nn {
namespace {

TEST_CASE("a growing cache holds what was appended, in order", "[nn][key_value_cache][unit]") {
  torch::manual_seed(1);
  GrowingCache cache(torch::empty({2, 3, 5, 4}));
  const auto key = torch::randn({2, 3, 5, 4});
  const auto value = torch::randn({2, 3, 5, 4});
  REQUIRE(cache.past() == 0);
  cache.append(key.narrow(2, 0, 2), value.narrow(2, 0, 2));
  cache.append(key.narrow(2, 2, 3), value.narrow(2, 2, 3));
  REQUIRE(cache.past() == 5);
  REQUIRE(torch::equal(cache.key(), key));
  REQUIRE(torch::equal(cache.value(), value));
  REQUIRE_THROWS_WITH(cache.append(key.narrow(2, 0, 1), value.narrow(2, 0, 1)),
                      test::ContainsSubstring("5 + 1 tokens exceed the room for 5"));
}

TEST_CASE("select keeps, doubles and drops rows, and leaves room to grow",
          "[nn][key_value_cache][property]") {
  const auto filled = GENERATE(0, 1, 3);
  const auto rows = GENERATE(values<std::vector<int64_t>>({{0, 1, 2}, {2}, {1, 1, 0, 2, 2}}));
  torch::manual_seed(filled);
  GrowingCache cache(torch::empty({3, 2, 4, 5}));
  const auto key = torch::randn({3, 2, filled, 5});
  cache.append(key, key * 2);
  const auto index = torch::tensor(rows);
  cache.select(index);
  REQUIRE(cache.past() == filled);
  REQUIRE(torch::equal(cache.key(), key.index_select(0, index)));
  REQUIRE(torch::equal(cache.value(), (key * 2).index_select(0, index)));
  const auto next = torch::randn({index.size(0), 2, 1, 5});
  cache.append(next, next);
  REQUIRE(torch::equal(cache.key().narrow(2, filled, 1), next));
}

TEST_CASE("a memory's rows and lengths are selected together", "[nn][key_value_cache][unit]") {
  const auto key = torch::randn({3, 2, 4, 5});
  MemoryCache cache(key, key * 2, torch::tensor({4, 2, 1}, torch::kLong));
  const auto rows = torch::tensor({2, 0}, torch::kLong);
  cache.select(rows);
  REQUIRE(cache.past() == 0);
  REQUIRE(torch::equal(cache.key(), key.index_select(0, rows)));
  REQUIRE(torch::equal(cache.value(), (key * 2).index_select(0, rows)));
  REQUIRE(torch::equal(cache.lengths(), torch::tensor({1, 4}, torch::kLong)));
}

}  // namespace
}  // namespace heed::nn
