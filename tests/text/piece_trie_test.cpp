#include "text/piece_trie.h"

#include <string>
#include <utility>
#include <vector>

#include "support/catch.h"

namespace text = heed::text;
using Found = std::vector<std::pair<std::size_t, int32_t>>;

namespace {

Found prefixes(const text::PieceTrie& trie, const std::string& line) {
  Found found;
  trie.each_prefix(line, [&](std::size_t bytes, int32_t id) { found.emplace_back(bytes, id); });
  return found;
}

}  // namespace

TEST_CASE("every piece that a text begins with is found, the shortest first",
          "[text][piece_trie][unit]") {
  text::PieceTrie trie;
  CHECK(trie.empty());
  for (int32_t id = 0; const auto* piece : {"a", "abc", "b", "\u5929", "ab", "a"}) {
    trie.add(piece, id++);
  }
  CHECK_FALSE(trie.empty());
  CHECK(prefixes(trie, "abcd") == Found{{1, 0}, {2, 4}, {3, 1}});
  CHECK(prefixes(trie, "ac") == Found{{1, 0}});
  CHECK(prefixes(trie, "\u5929x") == Found{{3, 3}});
  CHECK(prefixes(trie, "xa").empty());
  CHECK(prefixes(trie, "").empty());
  CHECK(trie.longest("abx").id == 4);
  CHECK(trie.longest("abx").bytes == 2);
  CHECK(trie.longest("x").bytes == 0);
}

TEST_CASE("an empty piece is never found", "[text][piece_trie][unit]") {
  text::PieceTrie trie;
  trie.add("", 3);
  CHECK(trie.empty());
  CHECK(trie.longest("a").bytes == 0);
}
