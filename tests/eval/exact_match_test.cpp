#include "eval/exact_match.h"

#include "support/catch.h"

using heed::eval::exact_match;

TEST_CASE("a line matches when its words do", "[eval][exact_match][unit]") {
  CHECK(exact_match({"a b", "a c", "", "a"}, {"a b", "a b", "", "A"}) == 0.5);
  CHECK(exact_match({"a  b "}, {"a b"}) == 1.0);
  CHECK(exact_match({"ab"}, {"a b"}) == 0.0);
}

TEST_CASE("no line matches nothing, and unequal sides are a mistake of the caller",
          "[eval][exact_match][unit]") {
  CHECK(exact_match({}, {}) == 0.0);
  CHECK_THROWS_AS(exact_match({"a"}, {}), std::logic_error);
}
