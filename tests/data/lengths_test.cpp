#include "data/lengths.h"

#include "support/catch.h"

namespace data = heed::data;

namespace {

data::Lengths of(const std::vector<int64_t>& lengths) {
  data::LengthCounts counts;
  for (const auto length : lengths) counts.add(length);
  return counts.summary();
}

}  // namespace

// References: numpy.percentile(values, q, method="inverted_cdf").
TEST_CASE("percentiles are nearest ranks", "[data][lengths][unit]") {
  const auto few = of({7, 3, 3, 9});
  CHECK(few.min == 3);
  CHECK(few.max == 9);
  CHECK(few.mean == 5.5);
  CHECK(few.median == 3);
  CHECK(few.p95 == 9);

  std::vector<int64_t> hundred;
  for (int64_t i = 1; i <= 100; ++i) hundred.push_back(i * i);
  const auto many = of(hundred);
  CHECK(many.median == 50 * 50);
  CHECK(many.p95 == 95 * 95);
  CHECK(many.p99 == 99 * 99);
  CHECK(many.mean == 3383.5);

  const auto one = of({4});
  CHECK((one.min == 4 && one.median == 4 && one.p99 == 4 && one.max == 4));
  CHECK(of({}).max == 0);
}
