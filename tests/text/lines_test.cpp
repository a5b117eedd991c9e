#include "text/lines.h"

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/utf8.h"
#include "support/catch.h"
#include "support/scratch.h"

using heed::test::ContainsSubstring;
namespace text = heed::text;
using Lines = std::vector<std::string>;

namespace {

struct Read {
  Lines lines;
  int64_t replaced = 0;
};

Read read(const std::string& bytes) {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "file", bytes);
  Read out;
  out.lines = text::read_lines((scratch / "file").string(), &out.replaced);
  return out;
}

}  // namespace

TEST_CASE("N lines are N lines, with and without a last newline", "[text][lines][unit]") {
  CHECK(read("a\nb").lines == Lines{"a", "b"});
  CHECK(read("a\nb\n").lines == Lines{"a", "b"});
  CHECK(read("a\nb\n\n").lines == Lines{"a", "b", ""});
  CHECK(read("\n\n").lines == Lines{"", ""});
  CHECK(read("").lines.empty());
}

TEST_CASE("only a newline ends a line", "[text][lines][unit]") {
  const auto lines = read(
                         "one\xe2\x80\xa8two\nthree\x0b"
                         "four\x0c"
                         "five\nsix\xc2\x85seven\rx\n")
                         .lines;
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "one\u2028two");
  CHECK(lines[1] == "three\vfour\ffive");
  CHECK(lines[2] == "six\u0085seven\rx");
  CHECK(text::without_controls(lines[0]) == "one two");
  CHECK(text::without_controls(lines[1]) == "three four five");
  CHECK(text::without_controls(lines[2]) == "six seven x");
}

TEST_CASE("one carriage return and a leading byte order mark are dropped", "[text][lines][unit]") {
  CHECK(read("a\r\nb\r").lines == Lines{"a", "b"});
  CHECK(read("a\r\r\n").lines == Lines{"a\r"});
  CHECK(read("\xEF\xBB\xBFx\n\xEF\xBB\xBFy\n").lines == Lines{"x", "\uFEFFy"});
  CHECK(read("\xEF\xBB\xBF\n").lines == Lines{""});
  CHECK(read("\xEF\xBB\xBF").lines.empty());
}

TEST_CASE("a zero byte does not cut a line", "[text][lines][unit]") {
  const auto lines = read(std::string("hel\0lo\nnext\n", 12)).lines;
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == std::string("hel\0lo", 6));
  CHECK(text::without_controls(lines[0]) == "hel lo");
}

TEST_CASE("each maximal ill-formed part is one replacement character, and counted",
          "[text][lines][unit]") {
  const auto [lines, replaced] =
      read("ok\nbad \xe2\x80\nlone \xff\xfe\noverlong \xc0\xaf\nsurrogate \xed\xa0\x80\nend\n");
  CHECK(lines == Lines{"ok", "bad \uFFFD", "lone \uFFFD\uFFFD", "overlong \uFFFD\uFFFD",
                       "surrogate \uFFFD\uFFFD\uFFFD", "end"});
  CHECK(replaced == 8);
}

TEST_CASE("lines come in groups, with the number of the last", "[text][lines][unit]") {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "file", "a\nb\n\xff\n");
  text::LineReader reader((scratch / "file").string());
  CHECK(reader.take(2) == Lines{"a", "b"});
  CHECK(reader.line() == 2);
  CHECK(reader.replaced() == 0);
  CHECK(reader.take(2) == Lines{"\uFFFD"});
  CHECK(reader.line() == 3);
  CHECK(reader.replaced() == 1);
  CHECK(reader.take(2).empty());
  CHECK_FALSE(reader.next().has_value());
}

TEST_CASE("what can't be read is named", "[text][lines][unit]") {
  const heed::test::ScratchDirectory scratch;
  CHECK_THROWS_WITH(text::LineReader((scratch / "none").string()), ContainsSubstring("none: "));
  CHECK_THROWS_AS(text::LineReader((scratch / "none").string()), heed::DataError);
  CHECK_THROWS_AS(text::LineReader(scratch.path().string()), heed::DataError);
}

TEST_CASE("controls become spaces one for one, so that code points keep their places",
          "[text][lines][property]") {
  for (char32_t c = 1; c < 0x2030; ++c) {
    std::string line = "a";
    heed::append_utf8(c, line);
    line += "ä";
    const auto plain = heed::code_points(text::without_controls(line));
    REQUIRE(plain.size() == 3);
    CHECK(plain[0] == U'a');
    CHECK(plain[2] == U'ä');
  }
}

TEST_CASE("white space of any kind is blank", "[text][lines][unit]") {
  for (const auto* line : {"", " ", "\t\v ", "\u2028\u0085", "\u3000\u00A0"}) {
    CHECK(text::blank(line));
  }
  CHECK(text::blank(std::string(1, '\0')));
  for (const auto* line : {"a", " . ", "\u3000天"}) CHECK_FALSE(text::blank(line));
}
