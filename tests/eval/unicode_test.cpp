#include "eval/unicode.h"

#include "support/catch.h"

namespace eval = heed::eval;

TEST_CASE("white space is what Python's str.isspace says", "[eval][unicode][unit]") {
  std::u32string found;
  for (char32_t c = 0; c <= 0xFFFF; ++c) {
    if (eval::is_space(c)) found += c;
  }
  const std::u32string expected =
      U"\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
      U"\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
  CHECK((found == expected));
}

TEST_CASE("runs of white space part words and leave no empty one", "[eval][unicode][unit]") {
  const std::vector<std::u32string_view> expected = {U"a", U"bc", U"d"};
  CHECK((eval::split(U"  a \u3000bc\td") == expected));
  CHECK(eval::split(U"").empty());
  CHECK(eval::split(U" \t").empty());
  CHECK((eval::without_spaces(U" a\u00a0b ") == U"ab"));
}

TEST_CASE("lower case is Unicode's, in no locale", "[eval][unicode][unit]") {
  CHECK(eval::lower("ÄÖ ΟΔΥΣΣΕΥΣ I") == "äö οδυσσευς i");
  CHECK(eval::lower("İ") == "i̇");
}

TEST_CASE("categories are those of the regular expressions", "[eval][unicode][unit]") {
  CHECK(eval::is_number(U'½'));
  CHECK_FALSE(eval::is_number(U'x'));
  CHECK(eval::is_punctuation(U'。'));
  CHECK_FALSE(eval::is_punctuation(U'$'));
  CHECK(eval::is_symbol(U'€'));
  CHECK_FALSE(eval::is_symbol(U'.'));
}
