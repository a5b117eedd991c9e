#include "text/normalize.h"

#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "support/catch.h"

namespace text = heed::text;

namespace {

std::string read(const std::string& form, bool lowercase, const std::string& line) {
  const text::Normalizer normalizer(form, lowercase);
  const auto placed = normalizer.with_places(line);
  CHECK(normalizer(line) == placed.text);
  CHECK(std::ssize(heed::code_points(placed.text)) == std::ssize(placed.begin));
  return placed.text;
}

}  // namespace

// Expected values: Python's unicodedata.normalize.
TEST_CASE("the forms are Unicode's", "[text][normalize][unit]") {
  CHECK(read("none", false, "u\u0307e \uFB01") == "u\u0307e \uFB01");
  CHECK(read("nfc", false, "t\u0307e \uFB01 \u1112\u1161\u11AB") == "\u1E6Be \uFB01 \uD55C");
  CHECK(read("nfkc", false, "\uFB01\u2460\uFF21\u00BD") == "fi1A1\u20442");
  CHECK(read("nfc", false, "e\u0301\u0323") == "\u1EB9\u0301");
  CHECK(read("nfc", false, "").empty());
}

TEST_CASE("lower case is each character's own", "[text][normalize][unit]") {
  CHECK(read("none", true, "ÄÖÜ Straße ΣΟΦΟΣ ABC") == "äöü straße σοφοσ abc");
  CHECK(read("nfkc", true, "\u2110\uFF21") == "ia");
  CHECK(read("none", true, "HELLO you") == "hello you");
}

TEST_CASE("white space of every kind is a space", "[text][normalize][unit]") {
  CHECK(read("none", false, "a\tb\u00A0c\u3000d\u2028e\u0085f") == "a b c d e f");
}

TEST_CASE("places lead back to the line as given", "[text][normalize][unit]") {
  const text::Normalizer normalizer("nfkc", false);
  const auto placed = normalizer.with_places("a\uFB01e\u0301x");  // -> a f i é x
  REQUIRE(placed.text == "afi\u00E9x");
  CHECK(placed.begin == std::vector<int64_t>{0, 1, 2, 2, 4});
  CHECK(placed.end == std::vector<int64_t>{1, 2, 2, 4, 5});
}

TEST_CASE("a config asks for it", "[text][normalize][unit]") {
  const auto active = [](const heed::config::Tokenizer& config) {
    return text::Normalizer::of(config).active();
  };
  CHECK_FALSE(active({.type = "bpe"}));
  CHECK_FALSE(active({.type = "word"}));
  CHECK_FALSE(active({.type = "word", .normalize = "none"}));
  CHECK(active({.type = "bpe", .normalize = "none"}));  // the library's is off: spaces are ours
  CHECK(active({.type = "word", .normalize = "nfc"}));
  CHECK(active({.type = "char", .lowercase = true}));
}
