#include "text/merges.h"

#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/catch.h"

namespace text = heed::text;
using Pieces = std::vector<std::string>;

namespace {

/// Merges of words over the letters a to z, given as "left right".
class Table {
 public:
  Table(const std::vector<std::pair<std::string, std::string>>& rules, bool rule_by_rule)
      : merges(rule_by_rule) {
    for (char letter = 'a'; letter <= 'z'; ++letter) symbol(std::string(1, letter));
    for (double rank = 0; const auto& [left, right] : rules) {
      merges.add(symbol(left), symbol(right), {rank, symbol(left + right)});
      ++rank;
    }
  }

  std::vector<text::Part> parts(const std::string& word) const {
    std::vector<text::Part> parts;
    for (int32_t i = 0; i < std::ssize(word); ++i) {
      const auto found = symbols.find(word.substr(i, 1));
      parts.push_back({found == symbols.end() ? text::kNoSymbol : found->second, i, i + 1});
    }
    return parts;
  }

  Pieces merged(const std::string& word, double dropout = 0.0, uint64_t seed = 0) const {
    auto word_parts = parts(word);
    heed::Random random({seed});
    text::Merger(merges).merge(word_parts, dropout, random);
    Pieces pieces;
    for (const auto& part : word_parts) {
      pieces.push_back(word.substr(part.begin, part.end - part.begin));
    }
    return pieces;
  }

  text::Merges merges;

 private:
  text::Symbol symbol(const std::string& name) {
    return symbols.emplace(name, static_cast<text::Symbol>(symbols.size())).first->second;
  }

  std::map<std::string, text::Symbol> symbols;
};

}  // namespace

TEST_CASE("the lowest rank is merged first, the leftmost of equals", "[text][merges][unit]") {
  const bool by_rule = GENERATE(false, true);
  const Table table({{"b", "c"}, {"a", "b"}, {"a", "bc"}, {"x", "x"}}, by_rule);
  CHECK(table.merged("abc") == Pieces{"abc"});
  CHECK(table.merged("abd") == Pieces{"ab", "d"});
  CHECK(table.merged("xxx") == Pieces{"xx", "x"});
  CHECK(table.merged("xxxxx") == Pieces{"xx", "xx", "x"});
  CHECK(table.merged("a?b") == Pieces{"a", "?", "b"});
  CHECK(table.merged("a") == Pieces{"a"});
  CHECK(table.merged("").empty());
}

TEST_CASE("rule by rule, a merge is done everywhere before what it makes is looked at",
          "[text][merges][unit]") {
  // "ab"+"a" ranks first, but must wait for the second "ab".
  const std::vector<std::pair<std::string, std::string>> rules = {{"ab", "a"}, {"a", "b"}};
  CHECK(Table(rules, true).merged("abab") == Pieces{"ab", "ab"});
  CHECK(Table(rules, false).merged("abab") == Pieces{"aba", "b"});
}

TEST_CASE("the first of several merges of a pair stays", "[text][merges][unit]") {
  text::Merges merges;
  merges.add(1, 2, {0.0, 3});
  merges.add(1, 2, {1.0, 4});
  CHECK(merges.find(1, 2)->merged == 3);
  CHECK(merges.find(2, 1) == nullptr);
  CHECK(merges.find(text::kNoSymbol, 2) == nullptr);
}

TEST_CASE("dropout 0 changes nothing, and 1 leaves the letters", "[text][merges][unit]") {
  const Table table({{"a", "b"}, {"ab", "c"}}, false);
  CHECK(table.merged("abcab", 0.0) == Pieces{"abc", "ab"});
  CHECK(table.merged("abcab", 1.0) == Pieces{"a", "b", "c", "a", "b"});
}

TEST_CASE("dropout is a pure function of the generator, and covers the word",
          "[text][merges][property]") {
  const Table table({{"a", "b"}, {"ab", "c"}, {"b", "c"}, {"abc", "abc"}}, false);
  const auto seed = GENERATE(range(0, 30));
  const auto pieces = table.merged("abcabcab", 0.5, seed);
  CHECK(pieces == table.merged("abcabcab", 0.5, seed));
  std::string joined;
  for (const auto& piece : pieces) joined += piece;
  CHECK(joined == "abcabcab");
}

TEST_CASE("a merge that was dropped may still be done at a later step", "[text][merges][unit]") {
  // Were a merge dropped for good, ab and cd would both stand with probability (1-p)^2.
  const Table table({{"a", "b"}, {"c", "d"}}, false);
  const double p = 0.3;
  std::map<Pieces, int> counts;
  const int draws = 20'000;
  for (int i = 0; i < draws; ++i) ++counts[table.merged("abcd", p, i)];
  const auto off = [&](const Pieces& pieces, double expected) {
    return std::abs(counts[pieces] / double(draws) - expected);
  };
  CHECK(off({"a", "b", "c", "d"}, p * p) < 0.01);
  CHECK(off({"ab", "c", "d"}, (1 - p) * p) < 0.01);
  CHECK(off({"a", "b", "cd"}, p * (1 - p) * p) < 0.01);
  CHECK(off({"ab", "cd"}, (1 - p) * (1 - p) * (1 + p)) < 0.01);
}

TEST_CASE("a long word is merged in nearly linear time", "[text][merges][unit]") {
  const Table table({{"a", "a"}, {"aa", "aa"}}, true);
  const auto start = std::chrono::steady_clock::now();
  CHECK(table.merged(std::string(1 << 19, 'a')).size() == 1 << 17);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}
