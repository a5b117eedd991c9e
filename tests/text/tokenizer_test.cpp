#include "text/tokenizer.h"

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
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

/// Of words that share their parts, so that pieces longer than a letter are worth learning.
Lines related_words() {
  const Lines words = {"the",  "then", "these",  "cat", "cats", "catalog", "see",
                       "sees", "seen", "seeing", "dog", "dogs", "dogma",   "a"};
  heed::Random random({3});
  Lines lines;
  for (int i = 0; i < 300; ++i) {
    std::string line = "the";
    for (int j = 0; j < 6; ++j) line += ' ' + words[random.below(words.size())];
    lines.push_back(line);
  }
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
    return text::fingerprint(*text::open_tokenizer(scratch / name, {.type = "word"}, false));
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

TEST_CASE("merges and their pieces are saved and opened again the same",
          "[text][tokenizer][unit]") {
  const heed::test::ScratchDirectory scratch;
  heed::write_file(scratch / "code", "#version: 0.2\nt h\nth e</w>\n");
  auto wanted = config("subword_nmt");
  wanted.codes = (scratch / "code").string();
  const auto made = text::make_tokenizer(wanted, english());
  text::save_tokenizers({made, made}, scratch / "tokenizer");
  fs::remove(scratch / "code");  // the run has its own
  const auto again = text::open_tokenizers(scratch / "tokenizer", wanted);
  CHECK(again.source->encode("the cat thinks") == made->encode("the cat thinks"));
  CHECK(again.source->decode(again.source->encode("the cat")) == "the cat");

  for (const auto* name : {"shared.vocab", "shared.codes"}) {
    const auto file = scratch.path() / "tokenizer" / name;
    const auto bytes = heed::read_file(file);
    heed::write_file(file, bytes + "x y\n");
    CHECK_THROWS_WITH(text::open_tokenizers(scratch / "tokenizer", wanted),
                      ContainsSubstring(name));
    heed::write_file(file, bytes);
  }

  wanted.vocab_file = (scratch / "list").string();
  heed::write_file(scratch / "list", "the 9\nc@@ 2\na@@ 2\nt 2\n");
  wanted.codes = (scratch.path() / "tokenizer" / "shared.codes").string();
  CHECK(text::make_tokenizer(wanted, {})->encode("the cat") == std::vector<int64_t>{4, 5, 6, 7});
}

TEST_CASE("text that is segmented already is joined", "[text][tokenizer][unit]") {
  auto wanted = config("whitespace");
  wanted.joiner = "@@";
  const auto tokenizer = text::make_tokenizer(wanted, {"co@@ tton on a tru@@ ck ."});
  const auto ids = tokenizer->encode("co@@ tton on a tru@@ ck .");
  CHECK(ids.size() == 7);
  CHECK(tokenizer->decode(ids) == "cotton on a truck .");
  CHECK(tokenizer->decode(std::vector<int64_t>(ids.begin(), ids.begin() + 1)) == "co");
  const heed::test::ScratchDirectory scratch;
  text::save_tokenizers({tokenizer, nullptr}, scratch.path());
  CHECK(text::open_tokenizers(scratch.path(), wanted).source->decode(ids) == "cotton on a truck .");
}

TEST_CASE("a sample is the encoding where nothing asks for one, else a function of the generator",
          "[text][tokenizer][property]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram", "word", "char", "whitespace");
  const auto plain = text::make_tokenizer(config(type), related_words());
  heed::Random random({1});
  CHECK(plain->sample("the cat sees", random) == plain->encode("the cat sees"));
  if (type != "bpe" && type != "unigram") return;

  auto wanted = config(type);
  wanted.sampling = type == "bpe" ? 0.3 : 0.1;
  const auto sampled = text::make_tokenizer(wanted, related_words());
  const heed::test::ScratchDirectory scratch;
  text::save_tokenizers({sampled, sampled}, scratch.path());
  const auto again = text::open_tokenizers(scratch.path(), wanted).source;
  CHECK(sampled->encode("the cat sees") == plain->encode("the cat sees"));
  std::set<std::vector<int64_t>> different;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    heed::Random first({seed}), second({seed});
    const auto ids = sampled->sample("the cat sees \u5929 a dog", first);
    CHECK(again->sample("the cat sees \u5929 a dog", second) == ids);
    CHECK(sampled->decode(ids) == plain->decode(plain->encode("the cat sees \u5929 a dog")));
    different.insert(ids);
  }
  CHECK(different.size() > 3);
}

TEST_CASE("threads share a tokenizer", "[text][tokenizer][property]") {
  const auto type = GENERATE(as<std::string>(), "bpe", "unigram", "word", "char", "whitespace");
  auto wanted = config(type);
  wanted.lowercase = true;
  wanted.normalize = "nfkc";
  if (type == "bpe" || type == "unigram") wanted.sampling = 0.2;
  const auto tokenizer = text::make_tokenizer(wanted, english());
  const auto work = [&] {
    std::vector<int64_t> all;
    for (const auto& line : english()) {
      heed::Random random({line.size()});
      for (const auto id : tokenizer->encode(line + " \u00DCber")) all.push_back(id);
      for (const auto id : tokenizer->sample(line + " Caf\u00E9", random)) all.push_back(id);
    }
    return all;
  };
  const auto expected = work();
  std::vector<std::vector<int64_t>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) threads.emplace_back([&] { result = work(); });
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) CHECK(result == expected);
}

TEST_CASE("what training left out is said with its counts", "[text][tokenizer][unit]") {
  CHECK(text::remarks({.lines = 9}).empty());
  CHECK(text::remarks({.lines = 9, .skipped_lines = 2, .skipped_bytes = 10'000}) ==
        Lines{"2 lines (10000 bytes) left out, longer than 4192 bytes"});
  CHECK(text::remarks({.lines = 9, .sampled_lines = 5}) ==
        Lines{"learned from 5 of 9 lines, drawn at random"});
}

TEST_CASE("training says how many lines it was given", "[text][tokenizer][unit]") {
  text::TrainingReport report;
  const auto type = GENERATE(as<std::string>(), "bpe", "word");
  text::make_tokenizer(config(type), english(), &report);
  CHECK(report.lines == 30);
  CHECK(report.skipped_lines == 0);
}
