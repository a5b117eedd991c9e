#include "text/boundaries.h"

#include "support/catch.h"

namespace heed::text {
namespace {

std::vector<std::string> units(const std::string& text, Unit unit) {
  std::vector<std::string> units;
  std::size_t begin = 0;
  for (const auto end : unit_ends(text, unit)) {
    units.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return units;
}

using Texts = std::vector<std::string>;

TEST_CASE("sentences end where a reader ends them", "[text][boundaries][unit]") {
  REQUIRE(units("He left. She stayed!  Why? \u201cNo.\u201d", Unit::kSentence) ==
          Texts{"He left. ", "She stayed!  ", "Why? ", "\u201cNo.\u201d"});
  REQUIRE(units("It cost 3.50 in all. Good", Unit::kSentence) ==
          Texts{"It cost 3.50 in all. ", "Good"});
  REQUIRE(units("\u4f60\u597d\u3002\u518d\u89c1\u3002", Unit::kSentence) ==
          Texts{"\u4f60\u597d\u3002", "\u518d\u89c1\u3002"});
}

TEST_CASE("words keep the punctuation and white space after them", "[text][boundaries][unit]") {
  REQUIRE(units("well, it's  (all) done...", Unit::kWord) ==
          Texts{"well, ", "it's  ", "(", "all) ", "done..."});
}

TEST_CASE("characters are what a reader takes for one", "[text][boundaries][unit]") {
  REQUIRE(units("u\u0307e\U0001F1E9\U0001F1EA", Unit::kCharacter) ==
          Texts{"u\u0307", "e", "\U0001F1E9\U0001F1EA"});
  REQUIRE(units("", Unit::kCharacter).empty());
}

TEST_CASE("units are the whole text", "[text][boundaries][property]") {
  const std::string text = GENERATE(as<std::string>{}, " a  b", "...", "\u0e2a\u0e27\u0e31\u0e2a",
                                    "x\ty. Z", "1. 2. 3.", " ");
  for (const auto unit : {Unit::kSentence, Unit::kWord, Unit::kCharacter}) {
    std::string all;
    for (const auto& one : units(text, unit)) {
      REQUIRE(!one.empty());
      all += one;
    }
    REQUIRE(all == text);
  }
}

}  // namespace
}  // namespace heed::text
