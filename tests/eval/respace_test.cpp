#include "eval/respace.h"

#include "eval/unicode.h"
#include "support/catch.h"

namespace eval = heed::eval;
using Text = std::u32string;

namespace {

/// With one space between words.
Text words_of(const Text& text) {
  Text out;
  for (const auto word : eval::split(text)) out += (out.empty() ? U"" : U" ") + Text(word);
  return out;
}

bool is_a(char32_t c) { return c == U'a'; }
bool is_b(char32_t c) { return c == U'b'; }

}  // namespace

TEST_CASE("pairs get a space on each side of their mark, and don't overlap",
          "[eval][respace][unit]") {
  CHECK((eval::space_in_pair(Text(U"xaab"), is_a, is_b, eval::Mark::kSecond) == U"xaa b "));
  CHECK((eval::space_in_pair(Text(U"aba"), is_a, is_b, eval::Mark::kFirst) == U" a ba"));
  CHECK((eval::space_in_pair(Text(U"aaa"), is_a, is_a, eval::Mark::kSecond) == U"a a a"));
  CHECK((eval::space_in_pair(Text(U""), is_a, is_b, eval::Mark::kFirst) == U""));
  CHECK((eval::space_around(Text(U"xay"), is_a) == U"x a y"));
}

TEST_CASE("what replaces is not replaced again", "[eval][respace][unit]") {
  Text text = U"aaa";
  eval::replace_all(text, U"a", U"aa");
  CHECK((text == U"aaaaaa"));
  Text entities = U"&amp;lt; &quot;&lt;x&gt;";
  eval::replace_entities(entities);
  CHECK((entities == U"< \"<x>"));
}

TEST_CASE("points stay inside of numbers, and dashes behind words", "[eval][respace][unit]") {
  CHECK((words_of(eval::space_points(U"a.b 1,000 5-6 a-b")) == U"a . b 1,000 5 - 6 a-b"));
  CHECK((words_of(eval::space_marks(U"(a)'b-c.")) == U"( a ) 'b-c."));
}
