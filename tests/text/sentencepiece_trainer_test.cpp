#include "text/sentencepiece_trainer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "support/catch.h"
#include "text/sentencepiece_tokenizer.h"

using heed::test::ContainsSubstring;
namespace text = heed::text;

namespace {

std::vector<std::string> sentences() {
  std::vector<std::string> lines;
  for (int i = 0; i < 50; ++i) {
    lines.push_back("the cat number " + std::to_string(i) + " sits on the mat");
    lines.push_back("a dog runs, jumps and sleeps near house " + std::to_string(7 * i));
  }
  return lines;
}

heed::config::Tokenizer config(const std::string& type, int64_t size) {
  heed::config::Tokenizer config;
  config.type = type;
  config.vocab_size = size;
  return config;
}

text::SentencePieceTokenizer trained(const heed::config::Tokenizer& config,
                                     const std::vector<std::string>& lines) {
  return {text::train_sentencepiece(config, lines, nullptr), /*trained_here=*/true, "test"};
}

}  // namespace

TEST_CASE("the same lines give the same model, with heed's special ids",
          "[text][sentencepiece_trainer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto wanted = config(type, 60);
  const auto model = text::train_sentencepiece(wanted, sentences(), nullptr);
  CHECK(model == text::train_sentencepiece(wanted, sentences(), nullptr));

  const text::SentencePieceTokenizer tokenizer(model, /*trained_here=*/true, "test");
  CHECK(tokenizer.size() == 60);
  CHECK(tokenizer.piece(text::kPad) == "<pad>");
  CHECK(tokenizer.piece(text::kEnd) == "</s>");
  CHECK(tokenizer.decode(tokenizer.encode("the dog sits")) == "the dog sits");
}

TEST_CASE("a text with fewer pieces than asked for gives fewer",
          "[text][sentencepiece_trainer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto tokenizer = trained(config(type, 8000), sentences());
  CHECK(tokenizer.size() > 40);
  CHECK(tokenizer.size() < 1000);
}

TEST_CASE("more characters than pieces are refused with both numbers",
          "[text][sentencepiece_trainer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  CHECK_THROWS_WITH(trained(config(type, 12), sentences()),
                    ContainsSubstring("tokenizer.vocab_size: 12,"));
  CHECK_THROWS_AS(trained(config(type, 12), sentences()), heed::DataError);
}

TEST_CASE("no text is refused, whatever stands for none", "[text][sentencepiece_trainer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const std::vector<std::vector<std::string>> texts = {
      {}, {""}, {" ", "\t"}, {"\u200B"}, {"\u200B", "\u2028", "\uFEFF"}, {"\u2581"}, {"\uFFFD"}};
  for (const auto& lines : texts) {
    CHECK_THROWS_AS(trained(config(type, 20), lines), heed::DataError);
  }
}

TEST_CASE("odd little texts give a model or one clear line",
          "[text][sentencepiece_trainer][property]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto line =
      GENERATE(as<std::string>(), "a", "aaaaaaaa", "a\u200Bb", "\u00AD.", "天", "😀😀", "\u0307",
               "<s>", "</s></s>", "<unk>", "\u2047", "\u2585", "１", "ﬁ", "a b c", "\\");
  try {
    const auto tokenizer = trained(config(type, 20), {line});
    CHECK(tokenizer.size() <= 20);
  } catch (const heed::DataError& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
  }
}

TEST_CASE("overlong lines are left out and counted", "[text][sentencepiece_trainer][unit]") {
  auto lines = sentences();
  lines.push_back(std::string(200'000, 'a'));
  lines.push_back(std::string(1 << 20, 'q'));
  text::TrainingReport report;
  const auto model = text::train_sentencepiece(config("bpe", 60), lines, &report);
  CHECK(report.lines == std::ssize(lines));
  CHECK(report.skipped_lines == 2);
  CHECK(report.skipped_bytes == 200'000 + (1 << 20));
  CHECK(model == text::train_sentencepiece(config("bpe", 60), sentences(), nullptr));
  CHECK_THROWS_WITH(trained(config("bpe", 60), {std::string(5000, 'a')}),
                    ContainsSubstring("4192"));
}

TEST_CASE("user symbols stay whole, commas and quotes in them too",
          "[text][sentencepiece_trainer][unit]") {
  auto wanted = config("bpe", 80);
  wanted.user_symbols = {"[X]", "a,b", "\"q\""};
  const auto tokenizer = trained(wanted, sentences());
  for (const auto& symbol : wanted.user_symbols) {
    const auto tokens = tokenizer.tokens("the " + symbol + " cat");
    CHECK(std::ranges::count(tokens, symbol, &text::Token::piece) == 1);
  }
  wanted.user_symbols = {"</s>"};
  CHECK_THROWS_AS(trained(wanted, sentences()), heed::ConfigError);
}

TEST_CASE("user symbols stay whole inside of words, in samples too",
          "[text][sentencepiece_trainer][property]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  auto wanted = config(type, 90);
  wanted.user_symbols = {"[X]", "<sep>", "cat"};
  auto lines = sentences();
  lines.push_back("a[X]b <sep>cats");
  const text::SentencePieceTokenizer tokenizer(text::train_sentencepiece(wanted, lines, nullptr),
                                               /*trained_here=*/true, "test", /*sampling=*/0.3);
  const auto whole = [&](const std::vector<int64_t>& ids, const std::string& symbol) {
    return std::ranges::count(ids, symbol, [&](int64_t id) { return tokenizer.piece(id); });
  };
  for (uint64_t seed = 0; seed < 30; ++seed) {
    heed::Random random({seed});
    for (const auto& ids : {tokenizer.encode("dog[X]cats<sep> a[X][X]"),
                            tokenizer.sample("dog[X]cats<sep> a[X][X]", random)}) {
      CHECK(whole(ids, "[X]") == 3);
      CHECK(whole(ids, "<sep>") == 1);
      CHECK(whole(ids, "cat") == 1);
    }
  }
}

TEST_CASE("unknown characters are bytes where the bytes have pieces",
          "[text][sentencepiece_trainer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  auto wanted = config(type, 340);
  wanted.byte_fallback = true;
  const auto tokenizer = trained(wanted, sentences());
  for (const auto* line : {"東京翴礚 the cat", "😀", "a東b", "naïve"}) {
    const auto ids = tokenizer.encode(line);
    CHECK(tokenizer.decode(ids) == line);
    CHECK(std::ranges::count(ids, text::kUnknown) == 0);
  }
  wanted.vocab_size = 100;
  CHECK_THROWS_WITH(trained(wanted, sentences()), ContainsSubstring("tokenizer.vocab_size: 100"));
}

TEST_CASE("of too many lines as many as can be are drawn", "[text][sentencepiece_trainer][unit]") {
  std::vector<std::string> lines(500'500, "ab c");
  lines[3] = "abc";
  text::TrainingReport report;
  CHECK_FALSE(text::train_sentencepiece(config("bpe", 9), lines, &report).empty());
  CHECK(report.lines == 500'500);
  CHECK(report.sampled_lines == 500'000);
}

TEST_CASE("control characters in the training text are white space",
          "[text][sentencepiece_trainer][unit]") {
  std::vector<std::string> plain, strange;
  for (const auto& line : sentences()) {
    plain.push_back(line + " end");
    strange.push_back(line + "\u2028" + "end");
  }
  CHECK(text::train_sentencepiece(config("bpe", 60), plain, nullptr) ==
        text::train_sentencepiece(config("bpe", 60), strange, nullptr));
}
