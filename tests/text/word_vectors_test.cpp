#include "text/word_vectors.h"

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

namespace text = heed::text;
using heed::test::ContainsSubstring;

namespace {

std::shared_ptr<const text::Tokenizer> tokenizer(const std::string& type) {
  heed::config::Tokenizer config;
  config.type = type;
  config.vocab_size = 30;
  return text::make_tokenizer(config, {"the cat", "the cat sat", "New York", "a dog sat"});
}

text::WordVectors read(const std::string& bytes, int64_t width, const std::string& type = "word") {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "vectors.txt", bytes);
  return text::read_word_vectors((scratch / "vectors.txt").string(), *tokenizer(type), width);
}

}  // namespace

TEST_CASE("words of the vocabulary get their numbers, others none, the first of two counts",
          "[text][word_vectors][unit]") {
  const auto words = tokenizer("word");
  const std::string body = "cat 1 -2.5\nunheard 9 9\nthe 3e-1 4 \ncat 7 7\n";
  for (const auto* head : {"", "4 2\n"}) {
    const auto vectors = read(head + body, 2);
    REQUIRE(vectors.ids.size() == 2);
    CHECK(words->piece(vectors.ids[0]) == "cat");
    CHECK(words->piece(vectors.ids[1]) == "the");
    CHECK(vectors.values == std::vector<float>{1.0F, -2.5F, 0.3F, 4.0F});
  }
}

TEST_CASE("pieces are words where they begin one", "[text][word_vectors][unit]") {
  const auto pieces = tokenizer("bpe");
  const auto vectors = read("the 1 2\ncat 3 4\n", 2, "bpe");
  REQUIRE_FALSE(vectors.ids.empty());
  for (const auto id : vectors.ids) CHECK(pieces->piece(id).starts_with("\u2581"));
}

TEST_CASE("a line without enough numbers is named with both counts", "[text][word_vectors][unit]") {
  CHECK_THROWS_WITH(read("cat 1 2\nthe 1\n", 2),
                    ContainsSubstring("vectors.txt:2: a word and 2 numbers must stand there") &&
                        ContainsSubstring("got 1 numbers"));
  CHECK_THROWS_WITH(read("cat 1 x\n", 2), ContainsSubstring("got 0 numbers"));
  CHECK_THROWS_AS(text::read_word_vectors("/nowhere/v.txt", *tokenizer("word"), 2),
                  heed::DataError);
  CHECK(read("", 2).ids.empty());
}
