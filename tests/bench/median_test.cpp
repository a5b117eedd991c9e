#include "bench/median.h"

#include "support/catch.h"

using heed::bench::median;

TEST_CASE("the median is the middle value, whatever the order", "[bench][median][unit]") {
  CHECK(median({3.0, 1.0, 2.0}) == 2.0);
  CHECK(median({4.0, 1.0, 2.0, 100.0}) == 3.0);
  CHECK(median({7.0}) == 7.0);
  CHECK(median({}) == 0.0);
}
