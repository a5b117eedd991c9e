#include "text/split.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "support/catch.h"

namespace text = heed::text;
using Pieces = std::vector<std::string>;

namespace {

Pieces split(const std::string& type, const std::string& text) {
  const auto line = heed::code_points(text);
  Pieces pieces;
  for (const auto [begin, end] : text::splitting(type).split(line)) {
    pieces.push_back(heed::to_utf8(std::u32string_view(line).substr(begin, end - begin)));
  }
  return pieces;
}

std::string round_trip(const std::string& text) {
  return text::splitting("word").join(split("word", text));
}

}  // namespace

TEST_CASE("white space of every kind parts pre-segmented pieces, and nothing else does",
          "[text][split][unit]") {
  CHECK(split("whitespace", "  a@@ b,\tc\u3000d\u2028e\u0085f\vg ") ==
        Pieces{"a@@", "b,", "c", "d", "e", "f", "g"});
  CHECK(split("whitespace", "").empty());
  CHECK(split("whitespace", " \t ").empty());
  CHECK(text::splitting("whitespace").join({"a@@", "b,"}) == "a@@ b,");
}

TEST_CASE("words leave their punctuation, but not what joins letters or digits",
          "[text][split][unit]") {
  CHECK(split("word", "Well, (yes) \"no\"!") ==
        Pieces{"Well", ",", "(", "yes", ")", "\"", "no", "\"", "!"});
  CHECK(split("word", "don't well-known 3.14 1,000") ==
        Pieces{"don't", "well-known", "3.14", "1,000"});
  CHECK(split("word", "-5 a- ... u\u0307.") ==
        Pieces{"-", "5", "a", "-", ".", ".", ".", "u\u0307", "."});
  CHECK(split("word", "</s>") == Pieces{"<", "/", "s", ">"});
}

TEST_CASE("words join as a reader expects", "[text][split][unit]") {
  for (const auto* line : {"the cat sees the dog", "well, yes (no).", "don't go!",
                           "der Hund, den ich sehe, schläft."}) {
    CHECK(round_trip(line) == line);
  }
  CHECK(round_trip("  hello   world ") == "hello world");
  CHECK(text::splitting("word").join({}).empty());
}

TEST_CASE("pieces join without what marks that they go on", "[text][split][unit]") {
  CHECK(text::join_with_spaces({"a@@", "b", "c"}, "@@") == "ab c");
  CHECK(text::join_with_spaces({"a@@", "b@@"}, "@@") == "ab");
  CHECK(text::join_with_spaces({"@@", "b", "@@"}, "@@") == "b ");
  CHECK(text::join_with_spaces({"a@@", "b"}) == "a@@ b");
  CHECK(text::join_with_spaces({}, "@@").empty());
}

TEST_CASE("a run of white space is one character, at the edges none", "[text][split][unit]") {
  CHECK(split("char", " a\u00e4 \t b ") == Pieces{"a", "ä", " \t ", "b"});
  CHECK(split("char", " ").empty());
  CHECK(text::splitting("char").join({"a", "\u2581", "b"}) == "a b");
}

TEST_CASE("spans are in order, disjoint and cover all but white space", "[text][split][property]") {
  const auto type = GENERATE(as<std::string>(), "whitespace", "word", "char");
  const auto* line = GENERATE("", "a", "  a,b  (c) ", "天气\u3000hello\u2028!", "...", "x\u0307 y");
  const auto text = heed::code_points(line);
  std::u32string covered;
  int64_t reached = 0;
  for (const auto [begin, end] : text::splitting(type).split(text)) {
    CHECK(begin >= reached);
    CHECK(end > begin);
    covered += text.substr(begin, end - begin);
    reached = end;
  }
  CHECK(reached <= std::ssize(text));
  const auto without_spaces = [](std::u32string all) {
    std::erase_if(all, [](char32_t c) { return c == U' ' || c == U'\u3000' || c == U'\u2028'; });
    return all;
  };
  CHECK((without_spaces(covered) == without_spaces(text)));
}

TEST_CASE("segmented text is joined as a reader has it", "[text][split][unit]") {
  CHECK(text::joined_line("der  Zug@@ führ@@ er .", "@@") == "der Zugführer .");
  CHECK(text::joined_line("co@@", "@@") == "co");
  CHECK(text::joined_line(" \t", "@@").empty());
}

TEST_CASE("another way of splitting is a bug", "[text][split][unit]") {
  CHECK_THROWS_AS(text::splitting("bpe"), std::logic_error);
}
