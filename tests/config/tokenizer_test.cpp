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
                                       "subword_nmt, whitespace"));
}

TEST_CASE("a key that the type doesn't read is refused", "[config][tokenizer][unit]") {
  REQUIRE(fault({.type = "bpe", .model = "m"}).empty());
  REQUIRE(fault({.type = "char", .vocab_file = "v"}).empty());
  REQUIRE(fault({.type = "word", .model = "m"}) ==
          "tokenizer.model: only bpe and unigram read it, and tokenizer.type is word");
  REQUIRE(fault({.type = "unigram", .vocab_file = "v"}) ==
          "tokenizer.vocab_file: only word, char, subword_nmt and whitespace read it, and "
          "tokenizer.type is unigram");
  REQUIRE_THAT(fault({.type = "word", .user_symbols = {"<x>"}}),
               test::ContainsSubstring("tokenizer.user_symbols: only bpe and unigram"));
  REQUIRE(fault({.type = "word", .min_count = 2}).empty());
  for (const auto* type : {"bpe", "unigram"}) {
    REQUIRE_THAT(fault({.type = type, .min_count = 2}),
                 test::ContainsSubstring("tokenizer.min_count: only word, char, subword_nmt and "
                                         "whitespace read it"));
  }
}

TEST_CASE("user symbols are well-formed, each once", "[config][tokenizer][unit]") {
  REQUIRE(fault({.user_symbols = {"<x>", "<y>"}}).empty());
  REQUIRE(fault({.user_symbols = {"<x>", ""}}) ==
          "tokenizer.user_symbols: a symbol must not be empty");
  REQUIRE(fault({.user_symbols = {"<x>", "<y>", "<x>"}}) ==
          "tokenizer.user_symbols: '<x>' is there twice");
  REQUIRE(fault({.user_symbols = {"a\xff"}}) ==
          "tokenizer.user_symbols: 'a\uFFFD' is not well-formed UTF-8");
}

TEST_CASE("options belong to types", "[config][tokenizer][unit]") {
  REQUIRE(fault({.type = "subword_nmt", .codes = "c", .joiner = "~", .sampling = 0.1}).empty());
  REQUIRE(fault({.type = "whitespace", .joiner = "@@"}).empty());
  REQUIRE(fault({.type = "unigram", .byte_fallback = true, .sampling = 5.0}).empty());
  REQUIRE(fault({.type = "char", .normalize = "nfc", .lowercase = true}).empty());
  REQUIRE(fault({.type = "subword_nmt"}) ==
          "tokenizer.codes: missing; subword_nmt needs a file of merges");
  REQUIRE(fault({.type = "bpe", .codes = "c"}) ==
          "tokenizer.codes: only subword_nmt reads it, and tokenizer.type is bpe");
  REQUIRE_THAT(fault({.type = "word", .joiner = "@@"}),
               test::ContainsSubstring("only whitespace and subword_nmt read it"));
  REQUIRE_THAT(fault({.type = "word", .sampling = 0.1}),
               test::ContainsSubstring("only bpe, unigram and subword_nmt read it"));
  REQUIRE_THAT(fault({.type = "char", .byte_fallback = true}),
               test::ContainsSubstring("tokenizer.byte_fallback: only bpe and unigram"));
  REQUIRE_THAT(fault({.sampling = 1.5}), test::ContainsSubstring("must be in [0, 1]"));
  REQUIRE_THAT(fault({.normalize = "nfd"}), test::ContainsSubstring("auto, none, nfc, nfkc"));
  REQUIRE_THAT(fault({.type = "whitespace", .joiner = " @"}),
               test::ContainsSubstring("has white space in it"));
}

TEST_CASE("what an existing model decides can't be asked for", "[config][tokenizer][unit]") {
  REQUIRE(fault({.model = "m", .sampling = 0.1}).empty());
  REQUIRE(fault({.model = "m", .lowercase = true}) ==
          "tokenizer.lowercase: the model that tokenizer.model names has its own; leave it out");
  REQUIRE_FALSE(fault({.model = "m", .normalize = "nfc"}).empty());
  REQUIRE_FALSE(fault({.model = "m", .user_symbols = {"x"}}).empty());
  REQUIRE_FALSE(fault({.model = "m", .byte_fallback = true}).empty());
}

}  // namespace
}  // namespace heed::config
