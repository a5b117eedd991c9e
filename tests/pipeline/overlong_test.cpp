#include "pipeline/overlong.h"

#include "base/error.h"
#include "pipeline/tiny_run.h"
#include "support/catch.h"

namespace heed::pipeline {
namespace {

TEST_CASE("a text of exactly max_len tokens is used whole, a longer one is cut and counted",
          "[pipeline][overlong][unit]") {
  const int64_t words = GENERATE(1, 13, 14, 15, 16, 17, 200);
  CAPTURE(words);
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  const auto line = test::tiny_sentence(words);
  const auto encoded =
      encode_lines(SourceReader(tokenizers.source), {"", line}, {16, "truncate"}, {});
  REQUIRE(encoded[0].ids.empty());
  REQUIRE_FALSE(encoded[0].truncated());
  REQUIRE(encoded[1].tokens == words);
  REQUIRE(std::ssize(encoded[1].ids) == std::min<int64_t>(words, 16));
  REQUIRE(encoded[1].truncated() == (words > 16));
}

TEST_CASE("where too long is an error, the text names file, line and both lengths",
          "[pipeline][overlong][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  const std::vector<std::string> lines{test::tiny_sentence(16), test::tiny_sentence(17)};
  const LengthRule rule{16, "error"};
  REQUIRE_THROWS_AS(encode_lines(SourceReader(tokenizers.source), lines, rule, {}), DataError);
  REQUIRE_THROWS_WITH(encode_lines(SourceReader(tokenizers.source), lines, rule, {"in.en", 100}),
                      test::ContainsSubstring("in.en:101: 17 tokens, at most 16"));
}

TEST_CASE("a line of white space has no tokens", "[pipeline][overlong][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  const std::vector<std::string> lines{"", " ", "\t  ", "\xe2\x80\xa8", "\xc2\xa0"};
  for (const auto& line : encode_lines(SourceReader(tokenizers.source), lines, {16, "error"}, {})) {
    REQUIRE(line.ids.empty());
    REQUIRE(line.tokens == 0);
  }
}

TEST_CASE("a line that is too long is read in few parts, cut where it hurts least",
          "[pipeline][overlong][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  const LengthRule rule{6, "split"};
  const auto parts =
      parts_of(SourceReader(tokenizers.source),
               {"the dog runs", "we see . the dog runs . we see the old tree and the bird . we see",
                "", "the old dog sees a small bird and a big book under the tree"},
               rule);
  REQUIRE(parts.first.size() == 5);
  REQUIRE(parts.texts.size() == parts.first.back());
  for (const auto& text : parts.texts) {
    CAPTURE(text);
    REQUIRE(std::ssize(tokenizers.source->encode(text)) <= 6);
  }
  REQUIRE(parts.texts[0] == "the dog runs");
  REQUIRE(parts.texts[parts.first[2]].empty());
  REQUIRE(parts.first[3] == parts.first[2] + 1);
  REQUIRE(parts.texts[parts.first[3]] == "the old dog sees a small ");
  REQUIRE(parts.texts.size() - parts.first[3] == 3);

  std::string joined;
  for (auto i = parts.first[1]; i < parts.first[2]; ++i) joined += parts.texts[i];
  REQUIRE(joined == "we see . the dog runs . we see the old tree and the bird . we see");
}

TEST_CASE("a translator reads each sentence of a long line apart", "[pipeline][overlong][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  const SourceReader reader(tokenizers.source);
  const std::string fits = "We see . Runs .";
  const std::string longer = "We see . Runs . A bird sings in the tree and we see . Runs ?";
  const auto parts =
      parts_of(reader, {fits, longer}, {.max_len = 6, .overlong = "split", .apart = true});
  REQUIRE(parts.texts == std::vector<std::string>{fits, "We see . ", "Runs . ",
                                                  "A bird sings in the tree ", "and we see . ",
                                                  "Runs ?"});
  REQUIRE(parts.first == std::vector<std::size_t>{0, 1, 6});
  const auto packed = parts_of(reader, {longer}, {.max_len = 6, .overlong = "split"});
  REQUIRE(packed.texts.size() < parts.texts.size() - 1);
}

TEST_CASE("a pair of texts that is too long is cut at its end or refused, never advised to split",
          "[pipeline][overlong][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  const SourceReader reader(tokenizers.source, {.second = "other"});
  const std::string line = "the dog runs\twe see a bird";  // and </s> between
  const auto cut = encode_lines(reader, {line}, {6, "truncate"}, {}).at(0);
  REQUIRE(cut.tokens == 8);
  auto ids = reader.encode(line);
  ids.resize(6);
  REQUIRE(cut.ids == ids);
  REQUIRE(encode_lines(reader, {line}, {8, "error"}, {}).at(0).tokens == 8);
  REQUIRE_THROWS_WITH(encode_lines(reader, {line}, {7, "error"}, {"in.tsv", 3}),
                      test::ContainsSubstring("in.tsv:3: 8 tokens, at most 7") &&
                          test::ContainsSubstring("set decode.overlong to truncate"));
}

TEST_CASE("a word that is too long is cut between its characters, whatever the limit",
          "[pipeline][overlong][property]") {
  const int64_t max_len = GENERATE(1, 2, 5, 16);
  CAPTURE(max_len);
  const auto tokenizer = text::make_tokenizer(test::tokenizer_config("char", 100),
                                              {"abcdefghijklmnopqrstuvwxyz \u00e9"});
  std::string word;
  for (int i = 0; i < 50; ++i) word += i % 7 == 0 ? "\u00e9" : "x";
  const auto parts = parts_of(SourceReader(tokenizer), {word}, {max_len, "split"});
  std::string joined;
  for (const auto& part : parts.texts) {
    REQUIRE(std::ssize(tokenizer->encode(part)) <= max_len);
    joined += part;
  }
  REQUIRE(joined == word);
  REQUIRE(std::ssize(parts.texts) == (50 + max_len - 1) / max_len);
}

TEST_CASE("under other rules a line is one part", "[pipeline][overlong][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  const auto line = test::tiny_sentence(40);
  for (const auto* rule : {"truncate", "error"}) {
    REQUIRE(parts_of(SourceReader(tokenizers.source), {line, ""}, {6, rule}).texts ==
            std::vector<std::string>{line, ""});
  }
}

}  // namespace
}  // namespace heed::pipeline
