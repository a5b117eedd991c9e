#include "text/sentencepiece_tokenizer.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <sentencepiece_processor.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "base/utf8.h"
#include "support/catch.h"
#include "support/scratch.h"
#include "text/sentencepiece_trainer.h"
#include "text/vocabulary.h"

using heed::test::ContainsSubstring;
namespace text = heed::text;
namespace fs = std::filesystem;
using Ids = std::vector<int64_t>;

namespace {

const fs::path kGolden = fs::path(HEED_SOURCE_DIR) / "tests/golden";

text::SentencePieceTokenizer trained(const std::string& type,
                                     const std::vector<std::string>& more = {}) {
  std::vector<std::string> lines = more;
  for (int i = 0; i < 40; ++i) {
    lines.push_back("hello world, the old cat sees a dog " + std::to_string(i));
  }
  heed::config::Tokenizer config;
  config.type = type;
  config.vocab_size = 90;
  return {text::train_sentencepiece(config, lines, nullptr), /*trained_here=*/true, "test"};
}

Ids ids_of(const std::vector<text::Token>& tokens) {
  Ids ids;
  for (const auto& token : tokens) ids.push_back(token.id);
  return ids;
}

}  // namespace

TEST_CASE("pieces, ids, places and texts are those of SentencePiece in Python",
          "[text][sentencepiece_tokenizer][golden]") {
  const auto golden = nlohmann::json::parse(heed::read_file(kGolden / "text_sentencepiece.json"));
  for (const auto& [name, expected] : golden.items()) {
    const auto file = kGolden / (name + ".model");
    const text::SentencePieceTokenizer tokenizer(heed::read_file(file), /*trained_here=*/false,
                                                 file.string());
    CHECK(tokenizer.size() == expected["size"].get<int64_t>());
    for (const auto& item : expected["lines"]) {
      const auto line = item["text"].get<std::string>();
      INFO(name << ": '" << line << "'");
      const auto tokens = tokenizer.tokens(line);
      REQUIRE(tokens.size() == item["ids"].size());
      CHECK(tokenizer.encode(line) == item["ids"].get<Ids>());
      CHECK(tokenizer.decode(ids_of(tokens)) == item["decoded"].get<std::string>());
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        CHECK(tokens[i].id == item["ids"][i].get<int64_t>());
        CHECK(tokens[i].piece == item["pieces"][i].get<std::string>());
        CHECK(tokens[i].begin == item["places"][i][0].get<int64_t>());
        CHECK(tokens[i].end == item["places"][i][1].get<int64_t>());
      }
    }
  }
}

TEST_CASE("special tokens in a text are ordinary text, in training too",
          "[text][sentencepiece_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto tokenizer =
      trained(type, {20, "hello </s> world a</s>b <s><unk><pad> [MASK] <x>/<y>"});
  for (const auto* line : {"hello </s> world", "x</s>y", "</s>", "<s><unk><pad>", "[MASK] hello"}) {
    for (const auto& token : tokenizer.tokens(line)) {
      INFO(line << ": " << token.piece);
      CHECK((token.id == text::kUnknown || token.id >= text::kSpecials));
    }
  }
}

TEST_CASE("runs of white space are one space and the edges none",
          "[text][sentencepiece_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto tokenizer = trained(type);
  for (const auto* line :
       {"  hello   world  ", "hello\tworld", "hello\u00A0world", "hello\u3000world",
        "hello\u2028world", "hello\u0085\vworld\f", "\rhello world"}) {
    CHECK(tokenizer.decode(tokenizer.encode(line)) == "hello world");
  }
  CHECK(tokenizer.encode("").empty());
  CHECK(tokenizer.encode(" \t\u2028").empty());
}

TEST_CASE("a zero byte is white space and cuts nothing", "[text][sentencepiece_tokenizer][unit]") {
  const auto tokenizer = trained("bpe");
  CHECK(tokenizer.encode(std::string("hello\0world", 11)) == tokenizer.encode("hello world"));
}

TEST_CASE("a run of unknown characters is one unknown token, shown once",
          "[text][sentencepiece_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto tokenizer = trained(type);
  const auto ids = tokenizer.encode("hello東京翴礚world");
  CHECK(std::ranges::count(ids, text::kUnknown) == 1);
  CHECK(tokenizer.decode(ids) == "hello<unk>world");
}

TEST_CASE("places are code points of the line as given", "[text][sentencepiece_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto tokenizer = trained(type, {20, "für 天气 ja"});
  const std::string line = "  für\u2028天气  hello 😀 ﬁn";
  const auto characters = heed::code_points(line);
  int64_t reached = 0;
  std::u32string covered;
  for (const auto& token : tokenizer.tokens(line)) {
    CHECK(token.begin >= reached);
    CHECK(token.end >= token.begin);
    covered += characters.substr(token.begin, token.end - token.begin);
    reached = token.end;
  }
  CHECK(reached == std::ssize(characters));
  std::erase_if(covered, [](char32_t c) { return c == U' ' || c == U'\u2028'; });
  CHECK((covered == U"für天气hello😀ﬁn"));
}

TEST_CASE("decomposed text comes back composed", "[text][sentencepiece_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto tokenizer = trained(type, {"u\u0307", "u\u0307e", "t\u0307", "t\u0307e"});
  CHECK(tokenizer.decode(tokenizer.encode("u\u0307e t\u0307")) == "u\u0307e \u1E6B");
  for (const auto id : tokenizer.encode("u\u0307e t\u0307e")) {
    int64_t replaced = 0;
    heed::valid_utf8(tokenizer.decode(Ids{id}), &replaced);
    CHECK(replaced == 0);
  }
}

TEST_CASE("special tokens are left out of a text", "[text][sentencepiece_tokenizer][unit]") {
  const auto tokenizer = trained("bpe");
  auto ids = tokenizer.encode("hello world");
  ids.insert(ids.begin(), text::kBegin);
  ids.insert(ids.end(), {text::kEnd, text::kPad, text::kPad});
  CHECK(tokenizer.decode(ids) == "hello world");
}

TEST_CASE("a line of a million letters is encoded in no time",
          "[text][sentencepiece_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto tokenizer = trained(type);
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(tokenizer.encode(std::string(1 << 20, 'o')).empty());
  CHECK_FALSE(tokenizer.tokens(std::string(200'000, 'l')).empty());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("the pieces are listed one a line, whatever they hold",
          "[text][sentencepiece_tokenizer][unit]") {
  const auto tokenizer = trained("bpe", {20, "x\u0085y a\u2028b c\u200Ed e\u00ADf"});
  const heed::test::ScratchDirectory scratch;
  tokenizer.save(scratch.path(), "shared");
  const auto listing = heed::read_file(scratch / "shared.vocab");
  CHECK(std::ranges::count(listing, '\n') == tokenizer.size());
  const auto listed = text::Vocabulary::open(scratch / "shared.vocab");
  REQUIRE(listed.size() == tokenizer.size());
  for (int64_t id = 0; id < listed.size(); ++id) CHECK(listed.piece(id) == tokenizer.piece(id));

  const text::SentencePieceTokenizer again(heed::read_file(scratch / "shared.model"),
                                           /*trained_here=*/true, "again");
  CHECK(again.encode("hello c\u200Ed") == tokenizer.encode("hello c\u200Ed"));
}

TEST_CASE("what is no model is named", "[text][sentencepiece_tokenizer][unit]") {
  for (const auto* bytes : {"", "hello", "\x0a\xff\xff\xff"}) {
    CHECK_THROWS_WITH(text::SentencePieceTokenizer(bytes, true, "my.model"),
                      ContainsSubstring("my.model: "));
    CHECK_THROWS_AS(text::SentencePieceTokenizer(bytes, true, "my.model"), heed::DataError);
  }
}

TEST_CASE("a sample is a function of the line and the generator, and of the line's text",
          "[text][sentencepiece_tokenizer][property]") {
  const auto [name, amount] = GENERATE(table<std::string, double>(
      {{"text_bpe", 0.2}, {"text_unigram", 0.2}, {"text_spaces", 0.2}, {"text_bytes", 0.2}}));
  const auto bytes = heed::read_file(kGolden / (name + ".model"));
  const text::SentencePieceTokenizer tokenizer(bytes, /*trained_here=*/false, name, amount);
  const auto golden = nlohmann::json::parse(heed::read_file(kGolden / "text_sentencepiece.json"));
  for (const auto& item : golden[name]["lines"]) {
    const auto line = item["text"].get<std::string>();
    INFO(name << ": '" << line << "'");
    heed::Random first({line.size()}), second({line.size()});
    const auto ids = tokenizer.sample(line, first);
    CHECK(tokenizer.sample(line, second) == ids);
    CHECK(tokenizer.decode(ids) == item["decoded"].get<std::string>());
  }
}

TEST_CASE("without sampling a sample is the encoding, and draws nothing",
          "[text][sentencepiece_tokenizer][unit]") {
  const auto tokenizer = trained("unigram");
  heed::Random random({1}), untouched({1});
  CHECK(tokenizer.sample("hello world", random) == tokenizer.encode("hello world"));
  CHECK(random.next() == untouched.next());
}

TEST_CASE("a long line has the pieces and places that the library gives it",
          "[text][sentencepiece_tokenizer][property]") {
  const auto* name =
      GENERATE("text_bpe", "text_unigram", "text_spaces", "text_bytes", "text_unigram_bytes");
  const auto bytes = heed::read_file(kGolden / (std::string(name) + ".model"));
  const text::SentencePieceTokenizer tokenizer(bytes, /*trained_here=*/false, name);
  sentencepiece::SentencePieceProcessor library;
  REQUIRE(library.LoadFromSerializedProto(bytes).ok());
  const std::vector<std::string> parts = {"the",     "old",  " ",      "cat",   "  ",
                                          "Straße",  "天",   "東京",   "[X]",   "x",
                                          "e\u0301", "sees", "\u3000", "young "};
  heed::Random random({6});
  std::string line;
  while (line.size() < 30'000) line += parts[random.below(parts.size())];

  const auto expected = library.EncodeAsImmutableProto(line);
  const auto tokens = tokenizer.tokens(line);
  REQUIRE(tokens.size() == expected.pieces_size());
  const auto characters = heed::code_points(line);
  int64_t reached = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto id = static_cast<int>(expected.pieces(static_cast<int>(i)).id());
    REQUIRE(tokens[i].piece == (library.IsUnknown(id) ? "<unk>" : library.IdToPiece(id)));
    CHECK(tokens[i].end >= tokens[i].begin);
    CHECK(tokens[i].end >= reached);
    reached = tokens[i].end;
    if (tokens[i].piece != "young") continue;
    CHECK((characters.substr(tokens[i].begin, tokens[i].end - tokens[i].begin) == U"young"));
  }
  CHECK(tokenizer.encode(line) == ids_of(tokens));
}

TEST_CASE("long lines are encoded in nearly linear time, whatever stands in them",
          "[text][sentencepiece_tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram");
  const auto tokenizer = trained(type);
  std::string line;
  heed::Random random({2});
  while (line.size() < (1 << 20)) line += "helowrdtacsg"[random.below(12)];
  const auto start = std::chrono::steady_clock::now();
  const auto ids = tokenizer.encode(line);
  CHECK((tokenizer.decode(ids) == line));
  CHECK(ids.size() == tokenizer.tokens(line).size());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}
