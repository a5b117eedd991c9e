#include "inspect/wrap.h"

#include "base/utf8.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

TEST_CASE("text is wrapped before column 80, each line behind the indent",
          "[inspect][wrap][unit]") {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "wörd ";
  const auto lines = wrapped(text, 4);
  std::size_t begin = 0;
  int count = 0;
  for (auto end = lines.find('\n'); end != lines.npos; end = lines.find('\n', begin)) {
    const auto line = lines.substr(begin, end - begin);
    REQUIRE(line.starts_with("    w"));
    REQUIRE(code_points(line).size() <= kColumns);
    begin = end + 1;
    ++count;
  }
  REQUIRE(count == 4);  // 15 words of 5 columns a line
  REQUIRE(wrapped("") == "");
  REQUIRE(wrapped("one  two", 1) == " one two\n");
}

TEST_CASE("a word is filled up or cut to a width in code points", "[inspect][wrap][unit]") {
  REQUIRE(fitted("über", 6) == "über  ");
  REQUIRE(fitted("überall", 4) == "übe…");
  REQUIRE(fitted("", 2) == "  ");
}

}  // namespace
}  // namespace heed::inspect
