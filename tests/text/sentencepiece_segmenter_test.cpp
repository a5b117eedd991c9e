#include "text/sentencepiece_segmenter.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sentencepiece_processor.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/random.h"
#include "support/catch.h"

namespace text = heed::text;
namespace fs = std::filesystem;
using Ids = std::vector<int>;
using Strings = std::vector<std::string>;

namespace {

constexpr auto kSpace = "\u2581";

std::string golden(const std::string& name) {
  return heed::read_file(fs::path(HEED_SOURCE_DIR) / "tests/golden" / name);
}

/// A model of Python's library, and the segmenter over it.
struct Sampled {
  Sampled(const std::string& name, double how_much)
      : segmenter(text::read_sentencepiece_model(golden(name), name)), amount(how_much) {
    REQUIRE(library.LoadFromSerializedProto(golden(name)).ok());
  }

  Ids ids(const std::string& normalized, heed::Random& random) const {
    Ids ids;
    int64_t reached = 0;
    for (const auto& piece : segmenter.sample(normalized, amount, random)) {
      ids.push_back(piece.id);
      CHECK(piece.begin == reached);
      reached = piece.end;
    }
    CHECK(reached == std::ssize(normalized));
    return ids;
  }

  Strings pieces(const std::string& normalized, heed::Random& random) const {
    Strings pieces;
    for (const int id : ids(normalized, random)) pieces.push_back(library.IdToPiece(id));
    return pieces;
  }

  sentencepiece::SentencePieceProcessor library;
  text::SentencePieceSegmenter segmenter;
  double amount;
};

std::string line_of(heed::Random& random) {
  static const Strings kParts = {"the", "old",  "cat", "sees", "dog", "young", "für", "Straße",
                                 "天",  "今天", "[X]", "東",   "京",  "😀",    "e",   "s",
                                 "ö",   " ",    " ",   " ",    "  ",  "x",     ".",   "\u0301"};
  std::string line;
  for (auto left = random.below(14); left > 0; --left) line += kParts[random.below(kParts.size())];
  return line;
}

/// As these models normalize: they leave all but spaces alone.
std::string normalized(const std::string& line) {
  std::string out;
  for (const char c : ' ' + line) {
    if (c != ' ') {
      out += c;
    } else if (!out.ends_with(kSpace)) {
      out += kSpace;
    }
  }
  while (out.ends_with(kSpace)) out.resize(out.size() - std::string(kSpace).size());
  return out;
}

}  // namespace

TEST_CASE("without dropout, or with a large alpha, a sample is the library's encoding",
          "[text][sentencepiece_segmenter][property]") {
  const auto [name, amount] =
      GENERATE(table<std::string, double>({{"text_bpe.model", 0.0},
                                           {"text_bytes.model", 0.0},
                                           {"text_unigram.model", 2000.0},
                                           {"text_unigram_bytes.model", 2000.0}}));
  const Sampled sampled(name, amount);
  heed::Random random({11});
  for (int i = 0; i < 1000; ++i) {
    const auto line = line_of(random);
    INFO(name << ": '" << line << "'");
    const auto expected = sampled.library.EncodeAsIds(line);
    REQUIRE(sampled.ids(normalized(line), random) == expected);
    Ids best;
    for (const auto& piece : sampled.segmenter.best(normalized(line))) best.push_back(piece.id);
    REQUIRE(best == expected);
  }
}

TEST_CASE("dropout 1 leaves characters and the user's symbols",
          "[text][sentencepiece_segmenter][unit]") {
  const Sampled sampled("text_bpe.model", 1.0);
  heed::Random random({3});
  CHECK(sampled.pieces("\u2581the\u2581[X]cat[X]", random) ==
        Strings{"\u2581", "t", "h", "e", "\u2581", "[X]", "c", "a", "t", "[X]"});
}

TEST_CASE("every sample is the same text", "[text][sentencepiece_segmenter][property]") {
  const auto [name, amount] =
      GENERATE(table<std::string, double>({{"text_bpe.model", 0.3},
                                           {"text_bytes.model", 0.3},
                                           {"text_unigram.model", 0.2},
                                           {"text_unigram_bytes.model", 0.2}}));
  const Sampled sampled(name, amount);
  heed::Random random({5});
  std::map<Strings, int> different;
  for (int i = 0; i < 300; ++i) {
    const auto line = line_of(random);
    const auto once = sampled.library.DecodeIds(sampled.library.EncodeAsIds(line));
    INFO(name << ": '" << line << "'");
    REQUIRE(sampled.library.DecodeIds(sampled.ids(normalized(line), random)) == once);
    ++different[sampled.pieces("\u2581sees\u2581young", random)];
  }
  CHECK(different.size() > 2);
}

TEST_CASE("the same state of the generator gives the same sample",
          "[text][sentencepiece_segmenter][unit]") {
  const Sampled sampled("text_unigram.model", 0.1);
  heed::Random first({9}), second({9});
  for (int i = 0; i < 20; ++i) {
    CHECK(sampled.pieces("\u2581the\u2581young\u2581house", first) ==
          sampled.pieces("\u2581the\u2581young\u2581house", second));
  }
}

TEST_CASE("segmentations are as frequent as brute force says they are probable",
          "[text][sentencepiece_segmenter][golden]") {
  const int draws = 5'000;
  for (const auto& item : nlohmann::json::parse(golden("text_sampling.json"))) {
    const auto name = item["model"].get<std::string>() + ".model";
    const auto line = item["text"].get<std::string>();
    INFO(name << " " << item["amount"] << ": " << line);
    const Sampled sampled(name, item["amount"].get<double>());
    heed::Random random({17});
    std::map<Strings, int> counts;
    for (int i = 0; i < draws; ++i) ++counts[sampled.pieces(normalized(line), random)];
    for (const auto& expected : item["segmentations"]) {
      const double probability = expected[1].get<double>();
      const double deviation = std::sqrt(probability * (1 - probability) / draws);
      const double seen = counts[expected[0].get<Strings>()] / double(draws);
      INFO(expected.dump() << " seen " << seen);
      CHECK(std::abs(seen - probability) < 5 * deviation + 1e-3);
    }
  }
}

TEST_CASE("an empty line gives no pieces", "[text][sentencepiece_segmenter][unit]") {
  const Sampled sampled("text_unigram.model", 0.1);
  heed::Random random({1});
  CHECK(sampled.ids("", random).empty());
  CHECK(sampled.segmenter.best("").empty());
}
