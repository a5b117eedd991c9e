#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/range.h"

namespace heed::config {

struct Tokenizer {
  std::string type = "bpe";         // bpe, unigram, word, char, subword_nmt or whitespace
                                    // (pre-segmented)
  int64_t vocab_size = 8000;        // pieces at most, special tokens included
  bool shared = true;               // one vocabulary for both sides
  int64_t min_count = 1;            // all but bpe, unigram: rarer ones are unknown
  std::string model{};              // bpe, unigram: an existing SentencePiece model
  std::string codes{};              // subword_nmt: the merges
  std::string vocab_file{};         // all but bpe, unigram: an existing vocabulary
  double character_coverage = 1.0;  // bpe, unigram: share of characters with a piece, from 0.98 on
  std::vector<std::string> user_symbols{};  // bpe, unigram: stay whole
  bool byte_fallback = false;               // bpe, unigram: bytes in place of unknown characters
  std::string joiner{};  // whitespace, subword_nmt: ends a piece that the next one continues;
                         // empty: none, and @@ for subword_nmt
  std::string normalize =
      "auto";  // none, nfc, nfkc or auto: nmt_nfkc for bpe and unigram, else none
  bool lowercase = false;
  double sampling = 0.0;  // in training, 0 is off: the dropout of BPE's merges (bpe, subword_nmt)
                          // or the alpha of unigram's probabilities

  bool operator==(const Tokenizer&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("type", self.type);
    visit("vocab_size", self.vocab_size, Range{8, 16777216});
    visit("shared", self.shared);
    visit("min_count", self.min_count, at_least(1));
    visit("model", self.model);
    visit("codes", self.codes);
    visit("vocab_file", self.vocab_file);
    visit("character_coverage", self.character_coverage, Range{0.98, 1.0});
    visit("user_symbols", self.user_symbols);
    visit("byte_fallback", self.byte_fallback);
    visit("joiner", self.joiner);
    visit("normalize", self.normalize);
    visit("lowercase", self.lowercase);
    visit("sampling", self.sampling, Range{0.0, 100.0});
  }
  void check(const std::string& path) const;

  bool sentencepiece() const { return type == "bpe" || type == "unigram"; }
};

}  // namespace heed::config
