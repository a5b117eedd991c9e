#include "data/line_facts.h"

#include "support/catch.h"

namespace data = heed::data;

TEST_CASE("a line is counted in characters and words", "[data][line_facts][unit]") {
  const auto facts = data::facts_of("  Ein größeres\u3000Haus .");
  CHECK(facts.characters == 21);
  CHECK(facts.words == 4);
  CHECK(facts.longest_word == 8);
  CHECK(facts.letters == 15);
  CHECK(facts.visible == 16);
  CHECK_FALSE(facts.controls);
  CHECK_FALSE(facts.ill_formed);
  CHECK(heed::text::script_name(facts.script) == "Latin");
  CHECK(data::facts_of("").words == 0);
}

TEST_CASE("the script is that of most letters", "[data][line_facts][unit]") {
  CHECK(heed::text::script_name(data::facts_of("слово word слово").script) == "Cyrillic");
  CHECK(heed::text::script_name(data::facts_of("今天 ok の").script) == "East Asian");
  CHECK(data::facts_of("123 . 4").script == heed::text::kNoScript);
}

TEST_CASE("lines of numbers and signs are few letters", "[data][line_facts][unit]") {
  CHECK(data::mostly_no_letters(data::facts_of("12:30 - 14:00 Uhr")));
  CHECK(data::mostly_no_letters(data::facts_of("&#39;&#34;&amp;#")));
  CHECK_FALSE(data::mostly_no_letters(data::facts_of("um 14:00 Uhr")));
  CHECK_FALSE(data::mostly_no_letters(data::facts_of("42")));
  CHECK_FALSE(data::mostly_no_letters(data::facts_of("")));
}

TEST_CASE("a word may be long where words are parted by space", "[data][line_facts][unit]") {
  const auto letters = [](int count) { return std::string(static_cast<std::size_t>(count), 'a'); };
  CHECK_FALSE(data::very_long_word(data::facts_of("x " + letters(40))));
  CHECK(data::very_long_word(data::facts_of("x " + letters(41))));
  for (const auto* letter : {"天", "ก", "ກ", "ក", "က"}) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += letter;
    CHECK_FALSE(data::very_long_word(data::facts_of(text)));
  }
  std::string greek;
  for (int i = 0; i < 41; ++i) greek += "α";
  CHECK(data::very_long_word(data::facts_of(greek)));
}

TEST_CASE("controls and ill-formed parts are seen", "[data][line_facts][unit]") {
  CHECK(data::facts_of("a\x01"
                       "b")
            .controls);
  CHECK(data::facts_of("a\u0085b").controls);
  CHECK_FALSE(data::facts_of("a\tb\nc").controls);
  CHECK(data::facts_of("a\uFFFD").ill_formed);
}
