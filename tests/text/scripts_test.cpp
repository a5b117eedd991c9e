#include "text/scripts.h"

#include "support/catch.h"

namespace text = heed::text;

TEST_CASE("letters have a script, what all scripts share has none", "[text][scripts][unit]") {
  CHECK(text::script_name(text::script_of(U'a')) == "Latin");
  CHECK(text::script_of(U'ß') == text::script_of(U'a'));
  CHECK(text::script_name(text::script_of(U'я')) == "Cyrillic");
  CHECK(text::script_name(text::script_of(U'ع')) == "Arabic");
  for (const char32_t c : {U'1', U'.', U' ', U'\u0301', U'😀', U'\uFFFF'}) {
    CHECK(text::script_of(c) == text::kNoScript);
  }
}

TEST_CASE("Han, kana and hangul are written together and count as one", "[text][scripts][unit]") {
  const auto han = text::script_of(U'天');
  CHECK(text::script_name(han) == "East Asian");
  for (const char32_t c : {U'の', U'カ', U'한', U'ㄅ'}) CHECK(text::script_of(c) == han);
  CHECK(text::script_of(U'e') != han);
}
