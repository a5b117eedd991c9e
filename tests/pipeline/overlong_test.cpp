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
  const auto encoded = encode_lines(*tokenizers.source, {"", line}, {16, "truncate"}, {});
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
  REQUIRE_THROWS_AS(encode_lines(*tokenizers.source, lines, rule, {}), DataError);
  REQUIRE_THROWS_WITH(encode_lines(*tokenizers.source, lines, rule, {"in.en", 100}),
                      test::ContainsSubstring("in.en:101: 17 tokens, at most 16"));
}

TEST_CASE("a line of white space has no tokens", "[pipeline][overlong][unit]") {
  const auto tokenizers = test::tiny_tokenizers(test::tiny_config("classify"));
  const std::vector<std::string> lines{"", " ", "\t  ", "\xe2\x80\xa8", "\xc2\xa0"};
  for (const auto& line : encode_lines(*tokenizers.source, lines, {16, "error"}, {})) {
    REQUIRE(line.ids.empty());
    REQUIRE(line.tokens == 0);
  }
}

}  // namespace
}  // namespace heed::pipeline
