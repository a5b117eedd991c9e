#include "text/merge_codes.h"

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"

using heed::test::ContainsSubstring;
namespace text = heed::text;
using Pieces = std::vector<std::string>;

namespace {

Pieces cut(const text::MergeCodes& codes, const std::string& word) {
  std::vector<text::Part> parts;
  codes.start(word, parts);
  text::Merger(codes.merges()).merge(parts);
  text::MergeCodes::finish(parts);
  Pieces pieces;
  for (const auto& part : parts) pieces.push_back(word.substr(part.begin, part.end - part.begin));
  return pieces;
}

}  // namespace

TEST_CASE("the end of a word is part of its last character, or a symbol of its own",
          "[text][merge_codes][unit]") {
  const text::MergeCodes second("#version: 0.2\na b\nc d</w>\nab cd</w>\n", "c");
  CHECK(cut(second, "abcd") == Pieces{"abcd"});
  CHECK(cut(second, "cdab") == Pieces{"c", "d", "a", "b"});  // "a b" is no "a b</w>"
  CHECK(cut(second, "abx") == Pieces{"ab", "x"});
  CHECK(cut(second, "a") == Pieces{"a"});

  const text::MergeCodes first("a b\nab </w>\n", "c");
  CHECK(cut(first, "abab") == Pieces{"ab", "ab"});
  CHECK(cut(first, "xy") == Pieces{"x", "y"});
  CHECK(cut(first, "x") == Pieces{"x"});

  const text::MergeCodes counted("a b</w> 17\na b 3\n", "c");  // fastBPE's
  CHECK(cut(counted, "abab") == Pieces{"ab", "ab"});
  CHECK(cut(counted, "ba") == Pieces{"b", "a"});
}

TEST_CASE("a piece knows the two it was merged from", "[text][merge_codes][unit]") {
  const text::MergeCodes codes("#version: 0.2\na b\nab c</w>\n\u00E4 \u00F6\nw> x\n", "c");
  using Halves = std::pair<std::string, std::string>;
  CHECK(codes.halves("abc", true) == Halves{"ab", "c"});
  CHECK(codes.halves("abc", false) == Halves{});
  CHECK(codes.halves("ab", false) == Halves{"a", "b"});
  CHECK(codes.halves("\u00E4\u00F6", false) == Halves{"\u00E4", "\u00F6"});
  CHECK(codes.halves("zz", true) == Halves{});
}

TEST_CASE("a line that is no merge is named", "[text][merge_codes][unit]") {
  const auto fault = [](const std::string& bytes) -> std::string {
    try {
      text::MergeCodes(bytes, "my.codes");
    } catch (const heed::DataError& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(fault("#version: 0.2\na b\nabc\n"), ContainsSubstring("my.codes:3: 1 column,"));
  CHECK_THAT(fault("a b\n\na c\n"), ContainsSubstring("my.codes:2: 0 columns"));
  CHECK_THAT(fault("a b c\n"), ContainsSubstring("my.codes:1: 3 columns"));
  CHECK_THAT(fault("a b 3 4\n"), ContainsSubstring("my.codes:1: 4 columns"));
  CHECK_THAT(fault(""), ContainsSubstring("my.codes: no merges"));
  CHECK_THAT(fault("#version: 0.2\n"), ContainsSubstring("my.codes: no merges"));
  CHECK(fault("#version: 0.2\r\na b\r\n").empty());
}
