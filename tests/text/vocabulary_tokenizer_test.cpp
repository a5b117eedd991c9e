#include "text/vocabulary_tokenizer.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "support/catch.h"

using heed::test::ContainsSubstring;
namespace text = heed::text;
using Ids = std::vector<int64_t>;

namespace {

text::VocabularyTokenizer trained(const std::string& type, const std::vector<std::string>& lines,
                                  int64_t size = 1000, int64_t min_count = 1) {
  return text::VocabularyTokenizer::train(type, lines, size, min_count);
}

}  // namespace

TEST_CASE("tokens name id, piece and code points of the line",
          "[text][vocabulary_tokenizer][unit]") {
  const auto tokenizer = trained("word", {"für dich, ja"});
  const std::string line = "  für\u2028alle, 😀 dich";
  const auto tokens = tokenizer.tokens(line);
  REQUIRE(tokens.size() == 5);
  CHECK(tokens[0].piece == "für");
  CHECK((tokens[0].begin == 2 && tokens[0].end == 5));
  CHECK(tokens[1].id == text::kUnknown);
  CHECK(tokens[1].piece == "<unk>");
  CHECK((tokens[1].begin == 6 && tokens[1].end == 10));
  CHECK((tokens[2].piece == "," && tokens[2].begin == 10));
  CHECK((tokens[4].piece == "dich" && tokens[4].begin == 14 && tokens[4].end == 18));

  Ids ids;
  for (const auto& token : tokens) ids.push_back(token.id);
  CHECK(tokenizer.encode(line) == ids);
}

TEST_CASE("special tokens in a text are ordinary text", "[text][vocabulary_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "word", "whitespace", "char");
  const std::string hostile = "hello </s> <s> <pad> <unk> [MASK] world";
  const auto tokenizer = trained(type, {hostile, hostile});
  for (const auto id : tokenizer.encode(hostile)) {
    CHECK((id == text::kUnknown || id >= text::kSpecials));
  }
  for (int64_t id = text::kSpecials; id < tokenizer.size(); ++id) {
    CHECK_FALSE(text::is_special_piece(tokenizer.piece(id)));
  }
}

TEST_CASE("decoding leaves special tokens out and shows the unknown one",
          "[text][vocabulary_tokenizer][unit]") {
  const auto tokenizer = trained("whitespace", {"a b"});
  CHECK(tokenizer.decode(Ids{2, 4, 1, 5, 3, 0, 0}) == "a <unk> b");
  CHECK(tokenizer.decode(Ids{}).empty());
}

TEST_CASE("encode then decode gives the text back, but for runs of white space",
          "[text][vocabulary_tokenizer][property]") {
  const auto type = GENERATE(as<std::string>(), "word", "whitespace", "char");
  const std::string line = GENERATE(as<std::string>(), "the cat sees the dog", "u\u0307 e\u0301",
                                    "天 气 مرحبا", "a", "");
  const auto tokenizer = trained(type, {line, "x"});
  CHECK(tokenizer.decode(tokenizer.encode(line)) == line);
  CHECK(tokenizer.decode(tokenizer.encode(" \t" + line + "\u3000")) == line);
}

TEST_CASE("size and count bound the vocabulary", "[text][vocabulary_tokenizer][unit]") {
  const std::vector<std::string> lines = {"a a a b b c"};
  CHECK(trained("word", lines, 6).size() == 6);
  CHECK(trained("word", lines, 6).encode("a b c") == Ids{4, 5, 1});
  CHECK(trained("word", lines, 100, 2).encode("a b c") == Ids{4, 5, 1});
  CHECK_THROWS_AS(trained("word", {"", "  "}), heed::DataError);
  CHECK_THROWS_WITH(trained("word", lines, 100, 4), ContainsSubstring("min_count"));
}
