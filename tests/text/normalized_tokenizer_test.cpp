#include "text/normalized_tokenizer.h"

#include <string>
#include <vector>

#include "base/files.h"
#include "base/random.h"
#include "base/utf8.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace text = heed::text;
using Lines = std::vector<std::string>;

namespace {

heed::config::Tokenizer config(const std::string& type, const std::string& form, bool lowercase) {
  return {.type = type, .vocab_size = 60, .normalize = form, .lowercase = lowercase};
}

Lines lines() {
  Lines lines;
  for (int i = 0; i < 40; ++i)
    lines.push_back("The Cat sees U\u0308bung \uFB01n " + std::to_string(i));
  return lines;
}

}  // namespace

TEST_CASE("a text is read the same in training, afterwards and from disk",
          "[text][normalized_tokenizer][property]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram", "word", "char", "whitespace");
  const auto wanted = config(type, "nfkc", true);
  const auto made = text::make_tokenizer(wanted, lines());
  CHECK(made->decode(made->encode("THE CAT \u00DCbung Fin")) == "the cat \u00FCbung fin");
  CHECK(made->encode("the cat u\u0308bung") == made->encode("The\u00A0CAT \u00DCBUNG"));

  const heed::test::ScratchDirectory scratch;
  text::save_tokenizers({made, made}, scratch.path());
  const auto again = text::open_tokenizers(scratch.path(), wanted);
  CHECK(again.source->encode("THE Cat \uFB01n") == made->encode("the cat fin"));
  heed::Random random({1});
  CHECK(again.source->sample("THE Cat", random) == made->encode("the cat"));
}

TEST_CASE("places are those of the line as given", "[text][normalized_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram", "word");
  const auto tokenizer = text::make_tokenizer(config(type, "nfkc", true), lines());
  const std::string line = " U\u0308BUNG  \uFB01N";
  const auto characters = heed::code_points(line);
  std::u32string covered;
  int64_t reached = 0;
  for (const auto& token : tokenizer->tokens(line)) {
    CHECK(token.begin >= reached);
    CHECK(token.end >= token.begin);
    covered += characters.substr(token.begin, token.end - token.begin);
    reached = token.end;
  }
  std::erase(covered, U' ');
  CHECK((covered == U"U\u0308BUNG\uFB01N"));
}

TEST_CASE("without normalization SentencePiece keeps what it would change",
          "[text][normalized_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto plain = text::make_tokenizer(config(type, "none", false), lines());
  CHECK(plain->decode(plain->encode("the\u00A0\uFB01n  U\u0308b\u3000a")) ==
        "the \uFB01n U\u0308b a");
  const auto usual = text::make_tokenizer(config(type, "auto", false), lines());
  CHECK(usual->decode(usual->encode("the \uFB01n U\u0308b")) == "the fin \u00DCb");
  const auto composed = text::make_tokenizer(config(type, "nfc", false), lines());
  CHECK(composed->decode(composed->encode("the \uFB01n U\u0308b")) == "the \uFB01n \u00DCb");
}

TEST_CASE("an empty line has no pieces", "[text][normalized_tokenizer][unit]") {
  const auto tokenizer = text::make_tokenizer(config("word", "nfc", true), lines());
  CHECK(tokenizer->tokens("").empty());
  CHECK(tokenizer->tokens(" \u3000").empty());
  CHECK(tokenizer->encode("\t").empty());
}
