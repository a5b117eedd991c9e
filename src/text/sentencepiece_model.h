#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

/// What the file of a SentencePiece model says of its pieces; its library doesn't tell all of it.
struct SentencePieceModel {
  // Numbered as in the file.
  enum class Kind { kNormal = 1, kUnk, kControl, kUserDefined, kUnused, kByte };
  enum class Type { kUnigram = 1, kBpe, kWord, kChar };

  struct Piece {
    std::string text;
    float score = 0.0F;  // unigram: log probability; BPE: the higher, the earlier it is merged
    Kind kind = Kind::kNormal;
  };

  std::vector<Piece> pieces;  // by the model's id
  Type type = Type::kUnigram;
  bool byte_fallback = false;
  bool space_follows = false;  // U+2581 at the end of words, not at the beginning
  bool extra_space = true;     // a line has one more of it, before its first word or after its last
  bool visible_spaces = true;  // spaces are U+2581
};

/// From the bytes of a model file (sentencepiece_model.proto). Throws DataError, "WHERE: what".
SentencePieceModel read_sentencepiece_model(std::string_view bytes, const std::string& where);

}  // namespace heed::text
