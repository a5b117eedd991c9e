#include "data/left_out.h"

#include <stdexcept>

#include "support/catch.h"

namespace data = heed::data;

TEST_CASE("lines are counted by reason, the first of each named", "[data][left_out][unit]") {
  data::LeftOuts left_out;
  left_out.max_len = 32;
  left_out.max_ratio = 2.5;
  CHECK(data::reports(left_out).empty());
  left_out.add(data::Reason::kOverlong, {.file = "b", .number = 3, .tokens = 40});
  left_out.add(data::Reason::kEmpty, {.file = "a", .number = 2});
  left_out.add(data::Reason::kUnbalanced, {.file = "a", .number = 7, .tokens = 30, .other = 10});
  left_out.add(data::Reason::kEmpty, {.file = "b", .number = 5});
  CHECK(data::reports(left_out) ==
        std::vector<std::string>{"2 left out, nothing to read: a:2, b:5",
                                 "1 left out, over data.max_len, which is 32: b:3 with 40 tokens",
                                 "1 left out, over data.max_ratio, which is 2.5: "
                                 "a:7 with 30 and 10 tokens"});
  CHECK_THROWS_AS(left_out.add(data::Reason::kNone, {}), std::logic_error);
}

TEST_CASE("of many lines the first are kept", "[data][left_out][unit]") {
  data::FoundLines lines;
  for (int64_t i = 1; i <= 25; ++i) lines.add({.file = "f", .number = i});
  CHECK(lines.count == 25);
  REQUIRE(lines.first.size() == data::kLinesNamed);
  CHECK(lines.first.back().number == 3);
  CHECK_THAT(data::named_lines(lines), heed::test::ContainsSubstring("f:2, f:3, ..."));
}
