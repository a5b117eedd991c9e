#include "data/repeats.h"

#include "support/catch.h"

namespace data = heed::data;
using Places = std::vector<int64_t>;

TEST_CASE("all but the first of equal lines are repeats", "[data][repeats][unit]") {
  CHECK(data::repeats({7, 3, 7, 5, 3, 7}) == Places{2, 4, 5});
  CHECK(data::repeats({1, 2, 3}).empty());
  CHECK(data::repeats({}).empty());
}

TEST_CASE("places are known by their names", "[data][repeats][unit]") {
  CHECK(data::places_known({9, 4, 2, 4}, {2, 4, 6}) == Places{1, 2, 3});
  CHECK(data::places_known({1}, {}).empty());
}

TEST_CASE("names tell texts apart", "[data][repeats][unit]") {
  CHECK(data::name_of("a") == data::name_of(std::string("a")));
  CHECK(data::name_of("a") != data::name_of("b"));
  CHECK(data::name_of("") != data::name_of("a"));
}
