#include "text/characters.h"

#include "support/catch.h"

namespace text = heed::text;

TEST_CASE("every control and line break is white space", "[text][characters][unit]") {
  for (char32_t c = 0; c < 0x20; ++c) CHECK(text::is_control(c));
  for (char32_t c = 0x7F; c < 0xA0; ++c) CHECK(text::is_control(c));
  CHECK(text::is_control(U'\u2028'));
  CHECK(text::is_control(U'\u2029'));
  CHECK_FALSE(text::is_control(U' '));
  CHECK_FALSE(text::is_control(U'\u00A0'));
  for (char32_t c = 0; c < 0x3000; ++c) {
    if (text::is_control(c)) CHECK(text::is_space(c));
  }
}

TEST_CASE("white space is Unicode's", "[text][characters][unit]") {
  for (const char32_t c : U" \u00A0\u1680\u2003\u202F\u205F\u3000") {
    if (c != 0) CHECK(text::is_space(c));
  }
  for (const char32_t c : {U'\u200B', U'\u2060', U'\uFEFF', U'\u2581', U'a'}) {
    CHECK_FALSE(text::is_space(c));
  }
}

TEST_CASE("letters, marks and digits make words, the rest is punctuation",
          "[text][characters][unit]") {
  for (const char32_t c : {U'a', U'ß', U'9', U'\u0307', U'天', U'م', U'\u0939'}) {
    CHECK(text::is_word(c));
    CHECK_FALSE(text::is_punctuation(c));
  }
  for (const char32_t c : {U'.', U'¿', U'€', U'+', U'。', U'😀'}) {
    CHECK_FALSE(text::is_word(c));
    CHECK(text::is_punctuation(c));
  }
}

TEST_CASE("what shows as nothing is invisible", "[text][characters][unit]") {
  for (const char32_t c : {U'\u0085', U'\u2028', U'\u200E', U'\u00AD', U'\u200B', U'\uFEFF', U' ',
                           U'\u3000', U'\U000E0001', U'\u2060', U'\0'}) {
    CHECK(text::is_invisible(c));
  }
  for (const char32_t c : {U'a', U'\\', U'\u2581', U'\u0307', U'😀'}) {
    CHECK_FALSE(text::is_invisible(c));
  }
}
