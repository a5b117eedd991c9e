#include "inspect/token_ranges.h"

#include "base/utf8.h"
#include "pipeline/tiny_run.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

std::string covered(const std::string& text, const text::Token& token) {
  return to_utf8(code_points(text).substr(token.begin, token.end - token.begin));
}

TEST_CASE("written words cover themselves, special tokens nothing",
          "[inspect][token_ranges][unit]") {
  const auto tokenizer = text::make_tokenizer(test::tokenizer_config("whitespace", 50),
                                              {"größe zählt sehr", "𝄞 klingt"});
  auto ids = tokenizer->encode("𝄞 zählt sehr größe");
  ids.push_back(text::kEnd);
  const auto text = tokenizer->decode(ids);
  const auto tokens = written_tokens(*tokenizer, ids, text);

  REQUIRE(tokens.size() == 5);
  const std::vector<std::string> words{"𝄞", "zählt", "sehr", "größe"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    REQUIRE(covered(text, tokens[i]) == words[i]);
    REQUIRE(tokens[i].piece == words[i]);
  }
  REQUIRE(tokens[4].begin == tokens[4].end);
  REQUIRE(tokens[4].end == std::ssize(code_points(text)));
  REQUIRE(tokens[4].piece == "</s>");
}

TEST_CASE("ranges of any tokenizer are in order, inside the text, and cover all but spaces",
          "[inspect][token_ranges][property]") {
  const std::string type = GENERATE("word", "char", "whitespace", "bpe", "unigram");
  CAPTURE(type);
  std::vector<std::string> lines;
  for (int i = 0; i < 4; ++i)
    lines.insert(lines.end(), test::kTinyText.begin(), test::kTinyText.end());
  const auto tokenizer = text::make_tokenizer(test::tokenizer_config(type, 60), lines);
  for (const auto& line : test::kTinyText) {
    auto ids = tokenizer->encode(line);
    ids.push_back(text::kEnd);
    const auto text = tokenizer->decode(ids);
    const auto whole = code_points(text);
    std::u32string seen;
    int64_t last = 0;
    for (const auto& token : written_tokens(*tokenizer, ids, text)) {
      REQUIRE(last <= token.begin);
      REQUIRE(token.begin <= token.end);
      REQUIRE(token.end <= std::ssize(whole));
      seen += whole.substr(token.begin, token.end - token.begin);
      last = token.end;
    }
    auto expected = whole;
    std::erase(expected, U' ');
    std::erase(seen, U' ');
    REQUIRE(to_utf8(seen) == to_utf8(expected));
  }
}

TEST_CASE("only padding, begin and end are special", "[inspect][token_ranges][unit]") {
  REQUIRE(special(text::kPad));
  REQUIRE(special(text::kBegin));
  REQUIRE(special(text::kEnd));
  REQUIRE_FALSE(special(text::kUnknown));
  REQUIRE_FALSE(special(text::kSpecials));
}

}  // namespace
}  // namespace heed::inspect
