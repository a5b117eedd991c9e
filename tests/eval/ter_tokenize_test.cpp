#include "eval/ter_tokenize.h"

#include "base/utf8.h"
#include "support/catch.h"

using heed::eval::TerOptions;

namespace {

std::string tokenized(const std::string& line, const TerOptions& options = {}) {
  std::string out;
  for (const auto& word : heed::eval::ter_tokenize(line, options)) {
    out += (out.empty() ? "" : " ") + heed::to_utf8(word);
  }
  return out;
}

}  // namespace

// What sacrebleu's TercomTokenizer makes of these lines.
TEST_CASE("lines are cut into words as Tercom cuts them", "[eval][ter_tokenize][golden]") {
  const TerOptions normalized{.normalized = true};
  const TerOptions asian{.normalized = true, .asian_support = true};
  CHECK(tokenized("The  cat, sat. ") == "the cat, sat.");
  CHECK(tokenized("The cat", {.case_sensitive = true}) == "The cat");
  CHECK(tokenized("Tom's &amp; 3.5, \"x\" 2-3.", normalized) == "tom 's & 3.5 , \" x \" 2 - 3 .");
  CHECK(tokenized("東京タワーへ、行く。", normalized) == "東京タワーへ、行く。");
  CHECK(tokenized("東京タワーへ、行く。", asian) == "東 京 タワーへ 、 行 く 。");
  CHECK(tokenized("(a), b? c-d", {.no_punct = true}) == "a b c-d");
  CHECK(tokenized("「a」、b", {.no_punct = true}) == "「a」、b");
  CHECK(tokenized("「a」、b", {.no_punct = true, .asian_support = true}) == "ab");
  CHECK(tokenized("").empty());
  CHECK(tokenized(" \t ").empty());
}
