#include "pipeline/global_tokens.h"

#include "base/error.h"
#include "support/catch.h"

namespace heed::pipeline {
namespace {

std::shared_ptr<const text::Tokenizer> words(const std::string& type) {
  const std::vector<std::string> lines{"the bank of the river", "the river . the bank ."};
  config::Tokenizer config{.type = type};
  if (type != "word") config.vocab_size = 24;
  return text::make_tokenizer(config, lines);
}

TEST_CASE("global tokens are found by their pieces, special ones too",
          "[pipeline][global_tokens][unit]") {
  const auto tokenizer = words("word");
  const auto ids = global_ids({.global_tokens = {"the", "</s>"}}, *tokenizer);
  REQUIRE(ids.size() == 2);
  REQUIRE(tokenizer->piece(ids[0]) == "the");
  REQUIRE(ids[1] == text::kEnd);
  REQUIRE(global_ids({}, *tokenizer).empty());
}

TEST_CASE("a piece that begins a word is found by the word", "[pipeline][global_tokens][unit]") {
  const auto tokenizer = words("bpe");
  const auto ids = global_ids({.global_tokens = {"the"}}, *tokenizer);
  REQUIRE(tokenizer->piece(ids.back()) == "\u2581the");
}

TEST_CASE("a token that is no piece is named", "[pipeline][global_tokens][unit]") {
  REQUIRE_THROWS_WITH(
      global_ids({.global_tokens = {"the", "ocean"}}, *words("word")),
      test::ContainsSubstring("model.attention.global_tokens: 'ocean' is no piece"));
  REQUIRE_THROWS_AS(global_ids({.global_tokens = {"ocean"}}, *words("word")), ConfigError);
}

TEST_CASE("a token that no source holds is refused", "[pipeline][global_tokens][unit]") {
  const std::string token = GENERATE("<s>", "<pad>");
  REQUIRE_THROWS_WITH(global_ids({.global_tokens = {token}}, *words("word")),
                      test::ContainsSubstring("no source holds '" + token + "'"));
}

}  // namespace
}  // namespace heed::pipeline
