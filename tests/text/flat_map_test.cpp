#include "text/flat_map.h"

#include <unordered_map>

#include "base/random.h"
#include "support/catch.h"

using heed::text::FlatMap;

TEST_CASE("an empty map finds nothing", "[text][flat_map][unit]") {
  const FlatMap<int> map;
  CHECK(map.find(0) == nullptr);
  CHECK(map.size() == 0);
}

TEST_CASE("the first value of a key stays", "[text][flat_map][unit]") {
  FlatMap<int> map;
  CHECK(map.insert(7, 1) == 1);
  CHECK(map.insert(7, 2) == 1);
  CHECK(map.size() == 1);
  map.insert(7, 2) = 5;
  CHECK(*map.find(7) == 5);
}

TEST_CASE("it holds what a map of the standard library holds", "[text][flat_map][property]") {
  const auto range = GENERATE(uint64_t{50}, uint64_t{100'000}, uint64_t{1} << 63);
  heed::Random random({range});
  FlatMap<uint64_t> map;
  std::unordered_map<uint64_t, uint64_t> expected;
  for (uint64_t i = 0; i < 5000; ++i) {
    const auto key = random.below(range) << (i % 2 == 0 ? 0 : 32);
    if (key == FlatMap<uint64_t>::kNoKey) continue;
    map.insert(key, i);
    expected.emplace(key, i);
  }
  REQUIRE(map.size() == expected.size());
  for (const auto& [key, value] : expected) {
    REQUIRE(map.find(key) != nullptr);
    REQUIRE(*map.find(key) == value);
  }
  int64_t found = 0;
  for (uint64_t key = 1; key < 1000; ++key) found += map.find(key << 20 | 1) != nullptr;
  int64_t there = 0;
  for (uint64_t key = 1; key < 1000; ++key) there += expected.contains(key << 20 | 1);
  CHECK(found == there);
}
