#include "text/letters.h"

#include <set>
#include <string>
#include <vector>

#include "support/catch.h"

namespace text = heed::text;

TEST_CASE("the first character is told by its first byte", "[text][letters][unit]") {
  CHECK(text::letter_bytes("ab") == 1);
  CHECK(text::letter_bytes("\u00E4b") == 2);
  CHECK(text::letter_bytes("\u5929\u6C14") == 3);
  CHECK(text::letter_bytes("\U0001F600") == 4);
  CHECK(text::letter_bytes("\xE5") == 1);  // no more than there is
}

TEST_CASE("no two characters, nor two uses of one, share a number", "[text][letters][unit]") {
  const std::vector<std::string> letters = {"a", "\x01", "\u00E4", "\u5929", "\U0001F600", "\x7F"};
  std::set<uint64_t> keys;
  for (const auto& letter : letters) {
    keys.insert(text::letter_key(letter, 0));
    keys.insert(text::letter_key(letter, 1));
  }
  CHECK(keys.size() == 2 * letters.size());
}
