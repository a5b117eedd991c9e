#include "data/toy_letters.h"

#include <algorithm>
#include <set>

#include "data/toy_files.h"
#include "support/catch.h"

namespace heed::data {

using test::by_name;
using test::words_of;

TEST_CASE("reverse gives the words last first, copy as they are", "[data][toy_letters][unit]") {
  const bool reversed = GENERATE(false, true);
  const auto files = by_name(reversed ? make_reverse() : make_copy());
  for (const std::string split : {"train", "valid", "test", "test_long"}) {
    CAPTURE(split);
    const auto& sources = files.at(split + ".source");
    const auto& targets = files.at(split + ".target");
    REQUIRE(sources.size() == targets.size());
    std::size_t right = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      auto words = words_of(sources[i]);
      if (reversed) std::ranges::reverse(words);
      right += words == words_of(targets[i]);
    }
    REQUIRE(right == sources.size());
  }
}

TEST_CASE("lines have 1 to 25 letters, those of test_long 26 to 60, all lengths alike",
          "[data][toy_letters][unit]") {
  const auto files = by_name(make_reverse());
  for (const auto& [name, lines] : files) {
    CAPTURE(name);
    std::map<std::size_t, int64_t> of_length;
    for (const auto& line : lines) {
      const auto words = words_of(line);
      REQUIRE(line.size() == 2 * words.size() - 1);  // one character each and one space between
      REQUIRE(std::ranges::all_of(line, [](char c) { return c == ' ' || (c >= 'a' && c <= 'z'); }));
      ++of_length[words.size()];
    }
    const bool longer = name.starts_with("test_long");
    REQUIRE(of_length.begin()->first == (longer ? 26u : 1u));
    REQUIRE(of_length.rbegin()->first == (longer ? 60u : 25u));
    REQUIRE(of_length.size() == (longer ? 35u : 25u));
    for (const auto& entry : of_length) REQUIRE(entry.second == of_length.begin()->second);
  }
  REQUIRE(files.at("train.source").size() == 8000);
  REQUIRE(files.at("valid.source").size() == 300);
  REQUIRE(files.at("test.source").size() == 300);
}

TEST_CASE("every letter occurs often, and long test lines are not in training",
          "[data][toy_letters][unit]") {
  const auto files = by_name(make_copy());
  REQUIRE(files.at("train.source").size() == 3000);
  std::map<std::string, int64_t> counts;
  for (const auto& line : files.at("train.source")) {
    for (const auto& word : words_of(line)) ++counts[word];
  }
  REQUIRE(counts.size() == 26);
  for (const auto& [letter, count] : counts) {
    CAPTURE(letter);
    REQUIRE(count > 1000);
  }

  const std::set<std::string> seen(files.at("train.source").begin(),
                                   files.at("train.source").end());
  for (const auto& line : files.at("test.source")) {
    if (words_of(line).size() >= 6) REQUIRE_FALSE(seen.contains(line));
  }
}

}  // namespace heed::data
