#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/merges.h"
#include "text/piece_trie.h"
#include "text/sentencepiece_model.h"

namespace heed {
class Random;
}

namespace heed::text {

/// Cuts normalized lines by the pieces of a SentencePiece model, for what its library doesn't do:
/// it takes time in the square of a line's length, and draws samples from a generator of the
/// thread, so that no training could be resumed. Symbols of the user stay whole; a run of unknown
/// characters is one unknown piece, or bytes where the model has them.
class SentencePieceSegmenter {
 public:
  explicit SentencePieceSegmenter(const SentencePieceModel& model);

  /// Whether the model is one that can be used here: BPE or unigram, with U+2581 for spaces.
  static bool can_use(const SentencePieceModel& model);

  struct Piece {
    int id = 0;  // the model's
    int64_t begin = 0;
    int64_t end = 0;  // bytes of the line
  };

  /// The segmentation of the library.
  std::vector<Piece> best(std::string_view normalized) const;

  /// One drawn by BPE-dropout of this probability (Provilkov et al., 2020), or for a unigram model
  /// by subword regularization with this alpha (Kudo, 2018).
  std::vector<Piece> sample(std::string_view normalized, double amount, Random& random) const;

 private:
  class Walk;

  void make_merges(const SentencePieceModel& model);
  void walk(std::string_view normalized, Walk& walk) const;
  bool word_starts(std::string_view line, std::size_t at) const;

  SentencePieceModel::Type type_;
  bool space_follows_;
  bool words_apart_ = true;  // no piece reaches from one word into the next
  int unknown_ = 0;
  float unknown_score_ = 0.0F;
  std::array<int, 256> bytes_{};  // ids of the pieces for bytes; -1 where there is none
  bool byte_fallback_;
  PieceTrie symbols_;          // of the user
  PieceTrie pieces_;           // unigram
  std::vector<float> scores_;  // unigram, by id
  Merges merges_;              // BPE
  FlatMap<Symbol> letters_;    // BPE: the bytes of a character -> its symbol
  std::vector<int> ids_;       // BPE: by symbol; -1 for a character that is no piece
};

}  // namespace heed::text
