#include "data/in_parallel.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "support/catch.h"

namespace data = heed::data;

TEST_CASE("every piece is worked on once", "[data][in_parallel][property]") {
  const auto threads = GENERATE(1, 2, 5);
  const auto count = GENERATE(0, 1, 511, 512, 513, 5000);
  std::vector<std::atomic<int>> seen(count + 7);
  data::in_parallel(7, count + 7, threads, [&](int64_t from, int64_t to) {
    for (auto i = from; i < to; ++i) ++seen[i];
  });
  for (int64_t i = 0; i < count + 7; ++i) REQUIRE(seen[i] == (i < 7 ? 0 : 1));
}

TEST_CASE("a fault of a piece comes out", "[data][in_parallel][unit]") {
  const auto threads = GENERATE(1, 3);
  CHECK_THROWS_AS(data::in_parallel(0, 5000, threads,
                                    [](int64_t from, int64_t) {
                                      if (from == 1024) throw std::runtime_error("fault");
                                    }),
                  std::runtime_error);
}

TEST_CASE("no piece is begun after the stop", "[data][in_parallel][unit]") {
  int64_t pieces = 0;
  data::in_parallel(0, 51200, 1, [&](int64_t, int64_t) { ++pieces; }, [&] { return pieces == 3; });
  CHECK(pieces == 3);
}
