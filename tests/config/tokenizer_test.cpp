#include "config/tokenizer.h"

#include "base/error.h"
#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

std::string fault(const Tokenizer& tokenizer) {
  return test::fault_of<ConfigError>([&] { tokenizer.check("tokenizer"); });
}

TEST_CASE("the types of tokenizers are listed", "[config][tokenizer][unit]") {
  for (const auto* type : {"bpe", "unigram", "word", "char", "whitespace"}) {
    REQUIRE(fault({.type = type}).empty());
  }
  REQUIRE_THAT(fault({.type = "words"}),
               test::ContainsSubstring("did you mean 'word'? There are bpe, unigram, word, char, "
                                       "whitespace"));
}

TEST_CASE("a key that the type doesn't read is refused", "[config][tokenizer][unit]") {
  REQUIRE(fault({.type = "bpe", .model = "m"}).empty());
  REQUIRE(fault({.type = "char", .vocab_file = "v"}).empty());
  REQUIRE(fault({.type = "word", .model = "m"}) ==
          "tokenizer.model: only bpe and unigram read it, and tokenizer.type is word");
  REQUIRE(fault({.type = "unigram", .vocab_file = "v"}) ==
          "tokenizer.vocab_file: only word, char and whitespace read it, and tokenizer.type is "
          "unigram");
  REQUIRE_THAT(fault({.type = "word", .user_symbols = {"<x>"}}),
               test::ContainsSubstring("tokenizer.user_symbols: only bpe and unigram"));
  REQUIRE_THAT(fault({.user_symbols = {"<x>", ""}}), test::ContainsSubstring("must not be empty"));
}

}  // namespace
}  // namespace heed::config
