#include "text/detokenize.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/utf8.h"
#include "support/catch.h"
#include "text/split.h"

namespace text = heed::text;
namespace fs = std::filesystem;
using Pieces = std::vector<std::string>;

namespace {

std::string round_trip(const std::string& line) {
  const auto splitting = text::splitting("word");
  const auto characters = heed::code_points(line);
  Pieces pieces;
  for (const auto& [begin, end] : splitting.split(characters)) {
    pieces.push_back(heed::to_utf8(std::u32string_view(characters).substr(begin, end - begin)));
  }
  return splitting.join(pieces);
}

}  // namespace

TEST_CASE("lines with punctuation come back as they were", "[text][detokenize][unit]") {
  for (const auto* line : {
           "A man, a plan (and a canal).",
           "\"Well,\" he said, \"go!\"",
           "She called it \"odd\", then left.",
           "Er sagte: \u201EKomm her!\u201C und ging.",
           "She said \u201Ccome here\u201D and left.",
           "\u00BBJa\u00AB, sagte er; \u00ABoui\u00BB is French.",
           "\u2018One\u2019 and \u201Azwei\u2018 differ.",
           "the dogs' tails don't wag",
           "a well-known, 10:30 o'clock train - late as usual",
           "It costs $5, or 5%, or \u20AC 7... maybe",
           "minus -5 degrees, and/or 3 - 5 of them",
           "Vor- und Nachteile, two- or three-year-old boys",
           "10\u201312 people \u2013 all of them",
           "http://example.org/a_b is a URL",
           "20\u00B0 warm; [sic]!",
           "Really?! No!!",
           "\u4F60\u597D\u3002\u4E16\u754C\uFF0C\u5929\u6C14\uFF01",
           "\u00BFQu\u00E9?",
           "mail me@example.org",
           "meet @ noon, or @ 7.30 pm",
           "$5,000 - or 5, 3 - to 5",
           "size 5\" wide, \"so\", or 5\"",
           "R & D = fun",
       }) {
    CHECK(round_trip(line) == line);
  }
}

TEST_CASE("odd runs of marks break nothing", "[text][detokenize][unit]") {
  CHECK(text::detokenize({}).empty());
  CHECK(text::detokenize({"."}) == ".");
  CHECK(text::detokenize({"\""}) == "\"");
  CHECK(text::detokenize({"", "a"}) == " a");
  CHECK(text::detokenize({"<unk>", ",", "<unk>", "."}) == "<unk>, <unk>.");
  CHECK(text::detokenize({"a", "-"}) == "a -");
}

TEST_CASE("what follows a piece bears on its own spaces only", "[text][detokenize][property]") {
  const Pieces pieces = {"\"", "a",  "-", "und", "\"", "'", "b",      "s",      "'", "(", "5",
                         ":",  "30", ")", "/",   "c",  "-", "\u201E", "\u201C", "-", "7"};
  for (std::size_t n = 2; n < pieces.size(); ++n) {
    const auto shorter = text::detokenize({pieces.begin(), pieces.begin() + n - 1});
    const auto longer = text::detokenize({pieces.begin(), pieces.begin() + n});
    const auto whole = text::detokenize(pieces);
    const auto common = std::ranges::mismatch(shorter, longer).in1 - shorter.begin();
    CHECK(whole.starts_with(longer.substr(0, common)));
  }
}

TEST_CASE("nearly every line of Multi30k comes back as it was", "[text][detokenize][golden]") {
  const auto* data = std::getenv("HEED_DATA");
  const auto folder = fs::path(data == nullptr ? "" : data) / "multi30k";
  if (data == nullptr || !fs::exists(folder)) {
    WARN("skipped: HEED_DATA names no folder with multi30k");
    return;
  }
  for (const auto* name : {"val.en", "val.de", "test_2016_flickr.de", "test_2017_mscoco.en"}) {
    const auto bytes = heed::read_file(folder / name);
    int64_t lines = 0, same = 0;
    for (std::size_t at = 0; at < bytes.size();) {
      const auto end = bytes.find('\n', at);
      auto line = bytes.substr(at, end - at);
      at = end + 1;
      while (line.ends_with(' ')) line.pop_back();
      ++lines;
      same += round_trip(line) == line;
    }
    INFO(name << ": " << same << " of " << lines);
    CHECK(same >= 0.97 * lines);
  }
}
