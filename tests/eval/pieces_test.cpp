#include "eval/pieces.h"

#include "support/catch.h"

using heed::eval::warn_of_pieces;
using heed::eval::warn_of_tokens;

TEST_CASE("text that still holds subword pieces is named with its line", "[eval][pieces][unit]") {
  using heed::test::ContainsSubstring;
  CHECK_THAT(warn_of_pieces({"fine", "▁The ▁cat"}, "out.txt"), ContainsSubstring("out.txt:2"));
  CHECK_THAT(warn_of_pieces({"play ##ing"}, "out.txt"), ContainsSubstring("out.txt:1"));
  CHECK_THAT(warn_of_pieces({"play@@ ing"}, "out.txt"), ContainsSubstring("out.txt:1"));
}

TEST_CASE("ordinary text draws no warning", "[eval][pieces][unit]") {
  CHECK(warn_of_pieces({"", "a #1 # b", "##headline", "me@@home"}, "out.txt").empty());
}

TEST_CASE("a hundred lines with a period that stands alone look tokenized",
          "[eval][pieces][unit]") {
  std::vector<std::string> lines(99, "a b .");
  CHECK(warn_of_tokens(lines, "out.txt").empty());
  lines.push_back("c .");
  CHECK_THAT(warn_of_tokens(lines, "out.txt"),
             heed::test::ContainsSubstring("out.txt: 100 lines end in ' .'"));
  CHECK(warn_of_tokens(std::vector<std::string>(200, "a b."), "out.txt").empty());
}
