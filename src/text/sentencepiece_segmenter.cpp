#include "text/sentencepiece_segmenter.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/random.h"
#include "text/lattice.h"
#include "text/letters.h"
#include "text/split.h"

namespace heed::text {
namespace {

using Kind = SentencePieceModel::Kind;
using Type = SentencePieceModel::Type;

constexpr float kUnknownPenalty = 10.0F;  // below the least probable piece, as in the library

/// Whether U+2581 stands where one word ends and the next begins.
bool reaches_over(std::string_view piece, bool space_follows) {
  for (std::size_t at = letter_bytes(piece); at < piece.size();) {
    const bool space = piece.substr(at).starts_with(kVisibleSpace);
    const bool after_space = piece.substr(0, at).ends_with(kVisibleSpace);
    if (space_follows ? after_space && !space : space && !after_space) return true;
    at += letter_bytes(piece.substr(at));
  }
  return false;
}

/// The byte of a piece like <0xE5>.
int byte_of(const std::string& piece) {
  int byte = -1;
  if (piece.size() == 6) std::from_chars(piece.data() + 3, piece.data() + 5, byte, 16);
  return byte;
}

}  // namespace

/// One line's way through the pieces, word by word. Without a generator it is the best way.
class SentencePieceSegmenter::Walk {
 public:
  Walk(const SentencePieceSegmenter& segmenter, double amount, Random* random)
      : segmenter_(segmenter), amount_(amount), random_(random), merger_(segmenter.merges_) {}

  /// The next word, [begin, begin + its size) of the line.
  void word(std::string_view word, std::size_t begin) {
    begin_ = static_cast<int64_t>(begin);
    if (segmenter_.type_ == Type::kBpe) {
      merge(word);
    } else if (random_ != nullptr) {
      draw(word);
    } else {
      find_best(word);
    }
  }

  void symbol(int id, std::size_t begin, std::size_t end) {
    known({id, static_cast<int64_t>(begin), static_cast<int64_t>(end)});
  }

  std::vector<Piece> pieces;

 private:
  void known(const Piece& piece) {
    pieces.push_back(piece);
    after_unknown_ = false;
  }

  void take(std::string_view word, int64_t begin, int64_t end, int id) {
    if (id >= 0) {
      known({id, begin_ + begin, begin_ + end});
    } else if (segmenter_.byte_fallback_) {
      for (auto at = begin; at < end; ++at) {
        const auto byte = static_cast<unsigned char>(word[at]);
        known({segmenter_.bytes_[byte], begin_ + at, begin_ + at + 1});
      }
    } else if (after_unknown_) {
      pieces.back().end = begin_ + end;
    } else {
      pieces.push_back({segmenter_.unknown_, begin_ + begin, begin_ + end});
      after_unknown_ = true;
    }
  }

  void merge(std::string_view word) {
    parts_.clear();
    for (std::size_t at = 0; at < word.size();) {
      const auto bytes = letter_bytes(word.substr(at));
      const auto* symbol = segmenter_.letters_.find(letter_key(word.substr(at, bytes)));
      parts_.push_back({symbol == nullptr ? kNoSymbol : *symbol, static_cast<int32_t>(at),
                        static_cast<int32_t>(at + bytes)});
      at += bytes;
    }
    random_ == nullptr ? merger_.merge(parts_) : merger_.merge(parts_, amount_, *random_);
    for (const auto& [symbol, begin, end] : parts_) {
      take(word, begin, end, symbol < 0 ? -1 : segmenter_.ids_[symbol]);
    }
  }

  /// Calls take(begin, end, id, score) for each piece that stands somewhere in the word, in the
  /// order of `begin` and then of `end`; a character that is none has id -1.
  template <typename Take>
  void each_piece(std::string_view word, Take take) const {
    for (std::size_t at = 0; at < word.size();) {
      const auto letter = letter_bytes(word.substr(at));
      bool letter_known = false;
      segmenter_.pieces_.each_prefix(word.substr(at), [&](std::size_t bytes, int32_t id) {
        take(at, at + bytes, id, segmenter_.scores_[id]);
        letter_known = letter_known || bytes == letter;
      });
      if (!letter_known) take(at, at + letter, -1, segmenter_.unknown_score_);
      at += letter;
    }
  }

  void draw(std::string_view word) {
    lattice_.start(std::ssize(word));
    each_piece(word, [&](std::size_t begin, std::size_t end, int32_t id, float score) {
      lattice_.add(begin, end, id, score);
    });
    for (const auto& [begin, end, id] : lattice_.sample(amount_, *random_)) {
      take(word, begin, end, id);
    }
  }

  /// Viterbi, with the library's arithmetic.
  void find_best(std::string_view word) {
    struct Step {
      float score = 0.0F;
      int32_t begin = -1, id = -1;  // of the piece that ends here
    };
    std::vector<Step> best(word.size() + 1);
    each_piece(word, [&](std::size_t begin, std::size_t end, int32_t id, float score) {
      const float sum = best[begin].score + score;
      if (best[end].begin < 0 || sum > best[end].score) {
        best[end] = {sum, static_cast<int32_t>(begin), id};
      }
    });
    std::vector<int32_t> ends;
    for (auto at = static_cast<int32_t>(word.size()); at > 0; at = best[at].begin)
      ends.push_back(at);
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      take(word, best[*end].begin, *end, best[*end].id);
    }
  }

  const SentencePieceSegmenter& segmenter_;
  double amount_;
  Random* random_;
  Merger merger_;
  Lattice lattice_;
  std::vector<Part> parts_;
  int64_t begin_ = 0;  // of the word
  bool after_unknown_ = false;
};

bool SentencePieceSegmenter::can_use(const SentencePieceModel& model) {
  return (model.type == Type::kUnigram || model.type == Type::kBpe) && model.visible_spaces;
}

SentencePieceSegmenter::SentencePieceSegmenter(const SentencePieceModel& model)
    : type_(model.type), space_follows_(model.space_follows), byte_fallback_(model.byte_fallback) {
  bytes_.fill(-1);
  float least = std::numeric_limits<float>::max();
  for (int id = 0; const auto& piece : model.pieces) {
    scores_.push_back(piece.score);
    if (piece.kind == Kind::kUnk) unknown_ = id;
    if (piece.kind == Kind::kUserDefined) symbols_.add(piece.text, id);
    if (piece.kind == Kind::kByte && byte_of(piece.text) >= 0) bytes_[byte_of(piece.text)] = id;
    if (piece.kind == Kind::kNormal) {
      if (type_ == Type::kUnigram) pieces_.add(piece.text, id);
      least = std::min(least, piece.score);
      words_apart_ = words_apart_ && !reaches_over(piece.text, space_follows_);
    }
    ++id;
  }
  unknown_score_ = least - kUnknownPenalty;
  byte_fallback_ = byte_fallback_ && std::ranges::find(bytes_, -1) == bytes_.end();
  if (type_ == Type::kBpe) make_merges(model);
}

/// The library merges any two neighbors that together are a piece. A part of such a pair is a piece
/// itself or one character, so the pairs are found by cutting each piece at every place.
void SentencePieceSegmenter::make_merges(const SentencePieceModel& model) {
  std::unordered_map<std::string_view, Symbol> symbols;
  const auto intern = [&](std::string_view text, int id) {
    const auto [at, added] = symbols.emplace(text, static_cast<Symbol>(ids_.size()));
    if (added) ids_.push_back(-1);
    if (id >= 0) ids_[at->second] = id;
    if (added && letter_bytes(text) == text.size()) letters_.insert(letter_key(text), at->second);
  };
  const auto normal = [](const SentencePieceModel::Piece& piece) {
    return piece.kind == Kind::kNormal && !piece.text.empty();
  };
  for (int id = -1; const auto& piece : model.pieces) {
    ++id;
    if (!normal(piece)) continue;
    intern(piece.text, id);
    for (std::string_view left = piece.text; !left.empty();
         left.remove_prefix(letter_bytes(left))) {
      intern(left.substr(0, letter_bytes(left)), -1);
    }
  }
  for (const auto& piece : model.pieces) {
    if (!normal(piece)) continue;
    const std::string_view text = piece.text;
    for (auto at = letter_bytes(text); at < text.size(); at += letter_bytes(text.substr(at))) {
      const auto left = symbols.find(text.substr(0, at));
      const auto right = symbols.find(text.substr(at));
      if (left == symbols.end() || right == symbols.end()) continue;
      merges_.add(left->second, right->second, {-double{piece.score}, symbols.at(text)});
    }
  }
}

bool SentencePieceSegmenter::word_starts(std::string_view line, std::size_t at) const {
  const bool space = line.substr(at).starts_with(kVisibleSpace);
  const bool after_space = line.substr(0, at).ends_with(kVisibleSpace);
  return space_follows_ ? after_space && !space : space && !after_space;
}

/// Goes from space to space and around the symbols of the user, which pieces don't cross.
void SentencePieceSegmenter::walk(std::string_view line, Walk& walk) const {
  std::size_t start = 0;
  const auto cut = [&](std::size_t at) {
    if (at > start) walk.word(line.substr(start, at - start), start);
    start = at;
  };
  for (std::size_t at = 0; at < line.size();) {
    if (const auto symbol = symbols_.longest(line.substr(at)); symbol.bytes > 0) {
      cut(at);
      at += symbol.bytes;
      walk.symbol(symbol.id, start, at);
      start = at;
      continue;
    }
    if (words_apart_ && word_starts(line, at)) cut(at);
    at += letter_bytes(line.substr(at));
  }
  cut(line.size());
}

std::vector<SentencePieceSegmenter::Piece> SentencePieceSegmenter::best(
    std::string_view normalized) const {
  Walk way(*this, 0.0, nullptr);
  walk(normalized, way);
  return std::move(way.pieces);
}

std::vector<SentencePieceSegmenter::Piece> SentencePieceSegmenter::sample(
    std::string_view normalized, double amount, Random& random) const {
  Walk way(*this, amount, &random);
  walk(normalized, way);
  return std::move(way.pieces);
}

}  // namespace heed::text
