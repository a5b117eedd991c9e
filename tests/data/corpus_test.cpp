#include "data/corpus.h"

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "support/catch.h"

using heed::test::ContainsSubstring;
namespace data = heed::data;
namespace text = heed::text;
using Lines = std::vector<std::string>;

namespace {

std::shared_ptr<const text::Tokenizer> letters() {
  heed::config::Tokenizer config;
  config.type = "whitespace";
  return text::make_tokenizer(config, {"a b c d e f g h"});
}

data::Pairs pairs(const Lines& source, const Lines& target) {
  return {.source_file = "t.en", .target_file = "t.de", .source = source, .target = target};
}

data::Corpus corpus(const data::Pairs& from, const heed::config::Data& config) {
  const auto tokenizer = letters();
  return data::make_corpus(from, {tokenizer, tokenizer}, config);
}

data::Corpus corpus(const data::Pairs& from, int64_t max_len) {
  return corpus(from, heed::config::Data{.max_len = max_len});
}

std::string repeated(int64_t count) {
  std::string line;
  for (int64_t i = 0; i < count; ++i) line += "a ";
  return line;
}

data::Table table(const std::vector<std::pair<std::string, std::string>>& rows) {
  data::Table made{.file = "v.tsv", .records = {}};
  for (const auto& [label, line] : rows) {
    made.records.push_back({.text = line, .label = label, .line = std::ssize(made.records) + 1});
  }
  return made;
}

}  // namespace

TEST_CASE("pairs with an empty side are left out, and the others stay pairs",
          "[data][corpus][unit]") {
  Lines source(10, "a b"), target(10, "c");
  target[2] = "";
  source[6] = " \t\u3000";
  const auto made = corpus(pairs(source, target), 10);
  CHECK(made.lines == 10);
  REQUIRE(made.examples.size() == 8);
  std::vector<int64_t> kept;
  for (const auto& example : made.examples) kept.push_back(example.index);
  CHECK(kept == std::vector<int64_t>{0, 1, 3, 4, 5, 7, 8, 9});
  CHECK(made.examples[2].source == std::vector<int64_t>{4, 5});
  CHECK(made.examples[2].target == std::vector<int64_t>{6});

  CHECK(made.empty.count == 2);
  CHECK(made.overlong.count == 0);
  const auto told = data::reports(made);
  REQUIRE(told.size() == 1);
  CHECK_THAT(told[0],
             ContainsSubstring("2 ") && ContainsSubstring("t.de:3") && ContainsSubstring("t.en:7"));
}

TEST_CASE("overlong pairs are left out and named with their lengths", "[data][corpus][unit]") {
  const auto made = corpus(
      pairs({repeated(32), repeated(33), "a", "a"}, {"a", "a", repeated(200), repeated(32)}), 32);
  CHECK(made.examples.size() == 2);
  CHECK(made.overlong.count == 2);
  const auto told = data::reports(made);
  REQUIRE(told.size() == 1);
  CHECK_THAT(told[0], ContainsSubstring("t.en:2 with 33 tokens") &&
                          ContainsSubstring("t.de:3 with 200 tokens") && ContainsSubstring("32"));
}

TEST_CASE("nothing left out is nothing to report", "[data][corpus][unit]") {
  CHECK(data::reports(corpus(pairs({"a"}, {"b"}), 5)).empty());
}

TEST_CASE("of many left out the first are named and all counted", "[data][corpus][unit]") {
  Lines source(50, ""), target(50, "a");
  source[49] = "a";
  const auto made = corpus(pairs(source, target), 5);
  CHECK(made.empty.count == 49);
  CHECK(made.empty.first.size() == data::kLinesNamed);
  const auto told = data::reports(made);
  CHECK_THAT(told.at(0), ContainsSubstring("49 ") && ContainsSubstring("t.en:3, ..."));
}

TEST_CASE("a split of which nothing is left is refused", "[data][corpus][unit]") {
  CHECK_THROWS_AS(corpus(pairs({"", "a"}, {"a", " "}), 5), heed::DataError);
  CHECK_THROWS_WITH(corpus(pairs({"", "a"}, {"a", " "}), 5),
                    ContainsSubstring("t.en: none of 2 lines") && ContainsSubstring("t.de:2"));
}

TEST_CASE("labels become their places among the known ones", "[data][corpus][unit]") {
  const auto made = data::make_corpus(table({{"b", "a b"}, {"a", ""}, {"a", "c"}, {"b", "a a a"}}),
                                      letters(), {"a", "b"}, {.max_len = 2});
  REQUIRE(made.examples.size() == 2);
  CHECK(made.examples[0].label == 1);
  CHECK(made.examples[1].label == 0);
  CHECK(made.examples[1].index == 2);
  CHECK(made.examples[1].source == std::vector<int64_t>{6});
  CHECK(made.empty.count == 1);
  CHECK(made.overlong.count == 1);
}

TEST_CASE("an unknown label is named with its place and the known ones", "[data][corpus][unit]") {
  const auto read = [] {
    return data::make_corpus(table({{"a", "x"}, {"b", "x"}, {"a", "x"}, {"c", ""}}), letters(),
                             {"a", "b"}, {.max_len = 5});
  };
  CHECK_THROWS_AS(read(), heed::DataError);
  CHECK_THROWS_WITH(read(), ContainsSubstring("v.tsv:4: ") && ContainsSubstring("'c'") &&
                                ContainsSubstring("a, b"));
}

TEST_CASE("control characters and Unicode's line breaks part tokens inside a line",
          "[data][corpus][unit]") {
  const auto made = corpus(pairs({"a\u2028b\x0b"
                                  "c\x0c"
                                  "d\u0085e"},
                                 {"a"}),
                           10);
  CHECK(made.examples.at(0).source == std::vector<int64_t>{4, 5, 6, 7, 8});
}

TEST_CASE("unbalanced pairs are left out and named with both lengths", "[data][corpus][unit]") {
  const heed::config::Data config{.max_len = 100, .max_ratio = 2.0};
  const auto made = corpus(pairs({repeated(20), repeated(21), repeated(9), repeated(5)},
                                 {repeated(10), repeated(10), "a", repeated(12)}),
                           config);
  std::vector<int64_t> kept;
  for (const auto& example : made.examples) kept.push_back(example.index);
  CHECK(kept == std::vector<int64_t>{0, 2});
  CHECK(made.unbalanced.count == 2);
  CHECK_THAT(data::reports(made).at(0), ContainsSubstring("2 left out, over data.max_ratio") &&
                                            ContainsSubstring("t.en:2 with 21 and 10 tokens") &&
                                            ContainsSubstring("t.en:4 with 5 and 12 tokens"));
}
