#include "data/line_encoder.h"

#include "base/error.h"
#include "support/catch.h"

using heed::test::ContainsSubstring;
namespace data = heed::data;
namespace text = heed::text;
using Ids = std::vector<int64_t>;

namespace {

std::shared_ptr<const text::Tokenizer> letters() {
  heed::config::Tokenizer config;
  config.type = "whitespace";
  return text::make_tokenizer(config, {"a b c d"});
}

std::unique_ptr<data::LineEncoder> pairs(const std::vector<std::string>& source,
                                         const std::vector<std::string>& target,
                                         const heed::config::Data& config) {
  const auto tokenizer = letters();
  data::Pairs made{
      .source_file = "f.en", .target_file = "f.de", .source = source, .target = target};
  return data::pair_encoder(std::move(made), {tokenizer, tokenizer}, config);
}

}  // namespace

TEST_CASE("prefixes stand before every line and count", "[data][line_encoder][unit]") {
  const heed::config::Data config{.source_prefix = "d", .target_prefix = "c c", .max_len = 3};
  const auto encoder = pairs({"a b", "a", "a b c"}, {"a", "", "a"}, config);
  CHECK(encoder->encode(0).example.source == Ids{7, 4, 5});
  CHECK(encoder->encode(0).example.target == Ids{6, 6, 4});
  CHECK(encoder->encode(1).left_out == data::Reason::kEmpty);  // a prefix is no text
  CHECK(encoder->encode(1).where.file == "f.de");
  CHECK(encoder->encode(2).left_out == data::Reason::kOverlong);
  CHECK(encoder->encode(2).where.tokens == 4);
  CHECK(encoder->text(0, 0) == "a b");
}

TEST_CASE("a pair is balanced as long as it is short", "[data][line_encoder][unit]") {
  CHECK_FALSE(data::unbalanced(1, 9, 2.0));
  CHECK(data::unbalanced(1, 10, 2.0));
  CHECK(data::unbalanced(10, 4, 2.0));
  CHECK_FALSE(data::unbalanced(10, 5, 2.0));
  CHECK_FALSE(data::unbalanced(1, 1000, 0.0));
}

TEST_CASE("texts in pairs are left out where one is empty", "[data][line_encoder][unit]") {
  const heed::config::Data config{.second = "other", .max_len = 4};
  data::Table table{.file = "t", .records = {}};
  for (const auto* line : {"a\tb", "a\t", "a b\tc", "a b\tc d"}) {
    table.records.push_back({.text = line, .label = "x", .line = std::ssize(table.records) + 1});
  }
  const auto encoder = data::table_encoder(table, letters(), {"x"}, config);
  CHECK(encoder->encode(0).example.source == Ids{4, text::kEnd, 5});
  CHECK(encoder->encode(0).example.label == 0);
  CHECK(encoder->encode(1).left_out == data::Reason::kEmpty);
  CHECK(encoder->encode(2).left_out == data::Reason::kNone);  // the end between counts
  CHECK(encoder->encode(3).left_out == data::Reason::kOverlong);
  CHECK_THROWS_WITH(data::table_encoder(table, letters(), {"y"}, config),
                    ContainsSubstring("t:1: unknown label 'x'; the training data has y"));
}

TEST_CASE("places are those of the files", "[data][line_encoder][unit]") {
  data::Pairs made{
      .source_file = "a", .target_file = "b", .source = {"a", "b", ""}, .target = {"a", "b", "a"}};
  made.parts = {{"a", "b", 0}, {"c", "d", 2}};
  const auto tokenizer = letters();
  const auto encoder = data::pair_encoder(made, {tokenizer, tokenizer}, {});
  CHECK(encoder->place(1, 1).file == "b");
  CHECK(encoder->place(1, 1).number == 2);
  CHECK(encoder->encode(2).where.file == "c");
  CHECK(encoder->encode(2).where.number == 1);
}

TEST_CASE("a sampled line that is too long is read as usual", "[data][line_encoder][unit]") {
  heed::config::Tokenizer config;
  config.type = "bpe";
  config.vocab_size = 40;
  config.sampling = 0.9;
  const std::vector<std::string> lines(50, "abcabcabc dedede abcabcabc dedede fgh");
  const auto tokenizer = text::make_tokenizer(config, lines);
  const auto usual = tokenizer->encode(lines[0]);
  const heed::config::Data data_config{.max_len = std::ssize(usual)};
  const auto encoder =
      data::pair_encoder({.source_file = "a", .target_file = "b", .source = lines, .target = lines},
                         {tokenizer, tokenizer}, data_config);
  for (uint64_t seed = 0; seed < 50; ++seed) {
    heed::Random random({seed});
    const auto example = encoder->sample(0, random);
    CHECK(std::ssize(example.source) <= data_config.max_len);
    CHECK(tokenizer->decode(example.source) == tokenizer->decode(usual));
  }
}
