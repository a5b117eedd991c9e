#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/range.h"

namespace heed::config {

struct Tokenizer {
  std::string type = "bpe";         // bpe, unigram, word, char or whitespace (pre-segmented)
  int64_t vocab_size = 8000;        // pieces at most, special tokens included
  bool shared = true;               // one vocabulary for both sides
  int64_t min_count = 1;            // word, char, whitespace: rarer ones are unknown
  std::string model{};              // bpe, unigram: an existing SentencePiece model
  std::string vocab_file{};         // word, char, whitespace: an existing vocabulary
  double character_coverage = 1.0;  // bpe, unigram: share of characters with a piece, from 0.98 on
  std::vector<std::string> user_symbols{};  // bpe, unigram: stay whole

  bool operator==(const Tokenizer&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("type", self.type);
    visit("vocab_size", self.vocab_size, Range{8, 16777216});
    visit("shared", self.shared);
    visit("min_count", self.min_count, at_least(1));
    visit("model", self.model);
    visit("vocab_file", self.vocab_file);
    visit("character_coverage", self.character_coverage, Range{0.98, 1.0});
    visit("user_symbols", self.user_symbols);
  }
  void check(const std::string& path) const;
};

}  // namespace heed::config
