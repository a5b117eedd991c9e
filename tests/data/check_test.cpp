#include "data/check.h"

#include "base/error.h"
#include "support/catch.h"

using heed::test::ContainsSubstring;
namespace data = heed::data;
namespace text = heed::text;
using Lines = std::vector<std::string>;

namespace {

std::shared_ptr<const text::Tokenizer> words() {
  heed::config::Tokenizer config;
  config.type = "whitespace";
  return text::make_tokenizer(config, {"the cat sees a dog die Katze sieht ein Hund"});
}

data::SplitCheck check(const Lines& source, const Lines& target,
                       const data::SplitCheck* train = nullptr,
                       const heed::config::Data& config = {}) {
  const auto tokenizer = words();
  data::Pairs pairs{
      .source_file = "f.en", .target_file = "f.de", .source = source, .target = target};
  const auto encoder = data::pair_encoder(std::move(pairs), {tokenizer, tokenizer}, config);
  return data::check_split("train", *encoder, {}, config, 2, train);
}

std::vector<std::string> lines_of(const data::SplitCheck& split, const std::string& kind) {
  std::vector<std::string> out;
  for (const auto& some : split.suspicious) {
    if (some.kind != kind) continue;
    for (const auto& line : some.lines.first)
      out.push_back(line.file + ":" + std::to_string(line.number));
    CHECK(std::ssize(out) == some.lines.count);
  }
  return out;
}

}  // namespace

TEST_CASE("lengths, unknown tokens and what is left out are counted", "[data][check][unit]") {
  const auto split =
      check({"the cat sees a dog", "the bird", "", "a a a a a a a a"},
            {"die Katze sieht ein Hund", "ein", "Hund", "ein"}, nullptr, {.max_len = 7});
  CHECK(split.used == 2);
  CHECK(split.left_out.lines == 4);
  CHECK(split.left_out.empty.count == 1);
  CHECK(split.left_out.overlong.count == 1);
  REQUIRE(split.sides.size() == 2);
  CHECK(split.sides[0].name == "source");
  CHECK(split.sides[0].tokens.max == 8);
  CHECK(split.sides[0].words.median == 2);
  CHECK(split.sides[0].characters.max == 18);
  CHECK(split.sides[0].token_count == 15);
  CHECK(split.sides[0].unknown_count == 1);
  CHECK(split.sides[0].unknown_share() == 1.0 / 15);
  CHECK(split.sides[1].unknown_share() == 0.0);
}

TEST_CASE("repeated lines and pairs are found, and those that the training data has",
          "[data][check][unit]") {
  const auto train = check({"the cat", "a dog", "the cat", "the cat"},
                           {"die Katze", "ein Hund", "Katze", "die Katze"});
  CHECK(train.sides[0].repeated.count == 2);
  CHECK(train.sides[0].repeated.first.at(0).number == 3);
  CHECK(train.sides[1].repeated.count == 1);
  CHECK(train.sides[1].repeated.first.at(0).file == "f.de");
  CHECK(train.repeated.count == 1);
  CHECK(train.repeated.first.at(0).number == 4);
  CHECK(train.in_train.count == 0);

  const auto valid = check({"the cat", "a cat", "a dog"}, {"Hund", "Katze", "ein Hund"}, &train);
  CHECK(valid.sides[0].in_train.count == 2);
  CHECK(valid.sides[1].in_train.count == 2);
  CHECK(valid.in_train.count == 1);
  CHECK(valid.in_train.first.at(0).number == 3);
}

TEST_CASE("blank lines repeat nothing", "[data][check][unit]") {
  const auto train = check({"the cat", "", "", " ", "a dog"}, {"Katze", "", "Hund", "Hund", ""});
  CHECK(train.left_out.empty.count == 4);
  CHECK(train.sides[0].repeated.count == 0);
  CHECK(train.sides[1].repeated.count == 1);  // Hund
  CHECK(train.repeated.count == 0);

  const auto valid = check({"the cat", "", ""}, {"ein", "Hund", ""}, &train);
  CHECK(valid.sides[0].in_train.count == 1);
  CHECK(valid.sides[1].in_train.count == 1);
  CHECK(valid.in_train.count == 0);
}

TEST_CASE("suspicious lines are found by kind", "[data][check][unit]") {
  std::string eleven;
  for (int i = 0; i < 11; ++i) eleven += "ein ";
  Lines source(20, "the cat"), target(20, "die Katze");
  target[1] = "the cat";
  target[2] = eleven;
  source[3] = "12 - 34";
  target[4] = std::string(50, 'x');
  source[5] = "the\x02 cat";
  source[6] = "caf\uFFFD";
  target[7] = "кошка";
  source[8] = "";
  const auto split = check(source, target);
  CHECK(lines_of(split, "copied") == Lines{"f.en:2"});
  CHECK(lines_of(split, "ratio") == Lines{"f.en:3"});
  CHECK(lines_of(split, "few_letters") == Lines{"f.en:4"});
  CHECK(lines_of(split, "long_word") == Lines{"f.de:5"});
  CHECK(lines_of(split, "controls") == Lines{"f.en:6"});
  CHECK(lines_of(split, "ill_formed") == Lines{"f.en:7"});
  CHECK(lines_of(split, "other_script") == Lines{"f.de:8"});
  CHECK(split.left_out.empty.count == 1);
}

TEST_CASE("of a classifier the labels are counted", "[data][check][unit]") {
  data::Table table{.file = "t.tsv", .records = {}};
  for (const auto* label : {"b", "a", "b", "b"}) {
    table.records.push_back(
        {.text = "the cat", .label = label, .line = std::ssize(table.records) + 1});
  }
  table.records[3].text = "a dog";
  const auto encoder = data::table_encoder(table, words(), {"a", "b"}, {});
  const auto split = data::check_split("train", *encoder, {"a", "b"}, {}, 1);
  CHECK(split.labels == std::map<std::string, int64_t>{{"a", 1}, {"b", 3}});
  REQUIRE(split.sides.size() == 1);
  CHECK(split.sides[0].name == "text");
  CHECK(split.sides[0].repeated.count == 2);
  CHECK(split.repeated.count == 1);  // the text with the same label
  CHECK(split.repeated.first.at(0).number == 3);
}

TEST_CASE("a split of which nothing is left is refused as in a training", "[data][check][unit]") {
  CHECK_THROWS_AS(check({"", " "}, {"a", "a"}), heed::DataError);
  CHECK_THROWS_WITH(check({"", " "}, {"a", "a"}), ContainsSubstring("f.en: none of 2 lines"));
}
