#include "base/utf8.h"

#include <fstream>

#include "support/catch.h"

namespace heed {
namespace {

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

int64_t replaced_in(std::string_view bytes) {
  int64_t replaced = 0;
  valid_utf8(bytes, &replaced);
  return replaced;
}

TEST_CASE("each maximal ill-formed part is one replacement", "[base][utf8][unit]") {
  REQUIRE(replaced_in("bad \xe2\x80") == 1);
  REQUIRE(replaced_in("lone \xff\xfe") == 2);
  REQUIRE(replaced_in("overlong \xc0\xaf") == 2);
  REQUIRE(replaced_in("surrogate \xed\xa0\x80") == 3);
  REQUIRE(replaced_in("") == 0);

  int64_t replaced = 4;
  REQUIRE(valid_utf8("a\xe2\x28z", &replaced) == "a\xEF\xBF\xBD(z");
  REQUIRE(replaced == 5);
}

TEST_CASE("bytes come out as Python replaces them", "[base][utf8][golden]") {
  std::ifstream golden(HEED_SOURCE_DIR "/tests/golden/base_utf8.tsv");
  std::string bytes, text;
  int64_t count = 0;
  int rows = 0;
  while (std::getline(golden, bytes, '\t') && std::getline(golden, text, '\t') && golden >> count) {
    golden.ignore();
    CAPTURE(bytes);
    int64_t replaced = 0;
    REQUIRE(valid_utf8(from_hex(bytes), &replaced) == from_hex(text));
    REQUIRE(replaced + replaced_in(from_hex(text)) == count);
    REQUIRE(to_utf8(code_points(from_hex(bytes))) == from_hex(text));
    ++rows;
  }
  REQUIRE(rows > 1000);
}

TEST_CASE("every code point goes to UTF-8 and comes back", "[base][utf8][property]") {
  int wrong = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string bytes;
    append_utf8(c, bytes);
    wrong += code_points(bytes) != std::u32string(1, c) || replaced_in(bytes) != 0;
  }
  REQUIRE(wrong == 0);
}

TEST_CASE("what is no code point becomes the replacement character", "[base][utf8][unit]") {
  REQUIRE(to_utf8(std::u32string{0xD800, 0xDFFF, 0x110000}) ==
          "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace heed
