#include "text/tokenizer.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/scratch.h"

using heed::test::ContainsSubstring;
namespace text = heed::text;
namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

namespace {

Lines english() {
  Lines lines;
  for (int i = 0; i < 30; ++i) lines.push_back("the cat sees a dog " + std::to_string(i));
  return lines;
}

Lines german() {
  Lines lines;
  for (int i = 0; i < 30; ++i) lines.push_back("die Katze sieht einen Hund " + std::to_string(i));
  return lines;
}

heed::config::Tokenizer config(const std::string& type) {
  heed::config::Tokenizer config;
  config.type = type;
  config.vocab_size = 60;
  return config;
}

std::string main_file(const std::string& type, const std::string& name) {
  return name + (type == "bpe" || type == "unigram" ? ".model" : ".vocab");
}

}  // namespace

TEST_CASE("every type is made, saved and opened again the same", "[text][tokenizer][property]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram", "word", "char", "whitespace");
  const heed::test::ScratchDirectory scratch;
  const auto source = text::make_tokenizer(config(type), english());
  const auto target = text::make_tokenizer(config(type), german());

  SECTION("a vocabulary for each side") {
    text::save_tokenizers({source, target}, scratch / "tokenizer");
    const auto again = text::open_tokenizers(scratch / "tokenizer", config(type));
    CHECK(again.source->encode("a cat!") == source->encode("a cat!"));
    CHECK(again.target->encode("die Katze") == target->encode("die Katze"));
    CHECK(text::fingerprint(*again.source) == text::fingerprint(*source));
    CHECK(text::fingerprint(*again.source) != text::fingerprint(*again.target));
  }
  SECTION("one for both") {
    text::save_tokenizers({source, source}, scratch / "tokenizer");
    const auto again = text::open_tokenizers(scratch / "tokenizer", config(type));
    CHECK(again.source == again.target);
    CHECK(text::fingerprint(*again.source) == text::fingerprint(*source));
  }
  SECTION("a classifier's") {
    text::save_tokenizers({source, nullptr}, scratch / "tokenizer");
    const auto again = text::open_tokenizers(scratch / "tokenizer", config(type));
    CHECK(again.target == nullptr);
    CHECK(again.source->size() == source->size());
  }
}

TEST_CASE("a changed, cut or missing file of a run is found", "[text][tokenizer][property]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram", "word");
  const heed::test::ScratchDirectory scratch;
  const auto tokenizer = text::make_tokenizer(config(type), english());
  text::save_tokenizers({tokenizer, tokenizer}, scratch.path());
  const auto file = scratch / main_file(type, "shared");
  const auto bytes = heed::read_file(file);
  const auto opened = [&] { return text::open_tokenizers(scratch.path(), config(type)); };

  SECTION("one byte, wherever it is") {
    for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 7) {
      auto changed = bytes;
      changed[at] ^= 1;
      heed::write_file(file, changed);
      CHECK_THROWS_AS(opened(), heed::CheckpointError);
    }
    heed::write_file(file, bytes);
    CHECK(opened().source->size() == tokenizer->size());
  }
  SECTION("the end") {
    heed::write_file(file, bytes.substr(0, bytes.size() / 2));
    CHECK_THROWS_WITH(opened(), ContainsSubstring(file.filename().string()));
  }
  SECTION("the file") {
    fs::remove(file);
    CHECK_THROWS_WITH(opened(), ContainsSubstring(file.filename().string()));
    CHECK_THROWS_AS(opened(), heed::CheckpointError);
  }
  SECTION("the fingerprints") {
    for (const auto* content : {"", "{", "[]", "{\"shared\": 7}", "{}"}) {
      heed::write_file(scratch / "fingerprints.json", content);
      CHECK_THROWS_AS(opened(), heed::CheckpointError);
    }
    fs::remove(scratch / "fingerprints.json");
    CHECK_THROWS_AS(opened(), heed::CheckpointError);
  }
}

TEST_CASE("two vocabularies of one size but another order differ", "[text][tokenizer][unit]") {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "one", "a\nb\nc\n");
  heed::write_file(scratch / "two", "b\na\nc\n");
  heed::write_file(scratch / "three", "ab\nc\n\u2581\n");
  const auto fingerprint = [&](const char* name) {
    return text::fingerprint(*text::open_tokenizer(scratch / name, "word", false));
  };
  CHECK(fingerprint("one") == fingerprint("one"));
  CHECK(fingerprint("one") != fingerprint("two"));
  CHECK(fingerprint("one") != fingerprint("three"));
}

TEST_CASE("an existing vocabulary or model is taken as it is", "[text][tokenizer][unit]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "word");
  const heed::test::ScratchDirectory scratch;
  const auto made = text::make_tokenizer(config(type), english());
  heed::write_file(scratch / "existing", made->file());

  auto named = config(type);
  (type == "bpe" ? named.model : named.vocab_file) = (scratch / "existing").string();
  const auto taken = text::make_tokenizer(named, german());
  CHECK(text::fingerprint(*taken) == text::fingerprint(*made));

  (type == "bpe" ? named.model : named.vocab_file) = (scratch / "none").string();
  CHECK_THROWS_WITH(text::make_tokenizer(named, german()), ContainsSubstring("none: "));
  CHECK_THROWS_AS(text::make_tokenizer(named, german()), heed::DataError);
}

TEST_CASE("training says how many lines it was given", "[text][tokenizer][unit]") {
  text::TrainingReport report;
  const auto type = GENERATE(as<std::string>(), "bpe", "word");
  text::make_tokenizer(config(type), english(), &report);
  CHECK(report.lines == 30);
  CHECK(report.skipped_lines == 0);
}
