#include "eval/buckets.h"

#include "support/catch.h"

using heed::eval::in_buckets;

TEST_CASE("lines fall into stretches between starts, and empty stretches are left out",
          "[eval][buckets][unit]") {
  const auto buckets = in_buckets({7, 0, 3, 1, 40, 2, -1}, {0, 1, 3, 5, 7});
  const std::vector<std::size_t> last = {0, 4};
  const std::vector<std::size_t> second = {3, 5};
  REQUIRE(buckets.size() == 4);
  CHECK(buckets[0].from == 0);
  CHECK(buckets[0].to == 0);
  CHECK(buckets[1].to == 2);
  CHECK(buckets[1].places == second);
  CHECK(buckets[2].from == 3);
  CHECK(buckets[2].to == 4);
  CHECK(buckets[3].from == 7);
  CHECK_FALSE(buckets[3].to.has_value());
  CHECK(buckets[3].places == last);
}

TEST_CASE("no line gives no bucket", "[eval][buckets][unit]") {
  CHECK(in_buckets({}, {0, 10}).empty());
}
