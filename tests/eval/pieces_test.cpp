#include "eval/pieces.h"

#include "support/catch.h"

using heed::eval::warn_of_pieces;

TEST_CASE("text that still holds subword pieces is named with its line", "[eval][pieces][unit]") {
  using heed::test::ContainsSubstring;
  CHECK_THAT(warn_of_pieces({"fine", "▁The ▁cat"}, "out.txt"), ContainsSubstring("out.txt:2"));
  CHECK_THAT(warn_of_pieces({"play ##ing"}, "out.txt"), ContainsSubstring("out.txt:1"));
}

TEST_CASE("ordinary text draws no warning", "[eval][pieces][unit]") {
  CHECK(warn_of_pieces({"", "a #1 # b", "##headline"}, "out.txt").empty());
}
