#include "text/sentencepiece_model.h"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/error.h"

namespace heed::text {
namespace {

struct Broken {};  // bytes that are no protocol buffer

/// The fields of one message of a protocol buffer, one after the other.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : left_(bytes) {}

  struct Field {
    uint64_t number = 0;
    uint64_t value = 0;        // varint, fixed
    std::string_view bytes{};  // message, string
  };

  bool next(Field& field) {
    if (left_.empty()) return false;
    const auto tag = varint();
    field = {.number = tag >> 3};
    switch (tag & 7) {
      case 0:
        field.value = varint();
        break;
      case 1:
        field.value = fixed(8);
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        field.value = fixed(4);
        break;
      default:
        throw Broken();
    }
    return true;
  }

 private:
  std::string_view take(uint64_t count) {
    if (count > left_.size()) throw Broken();
    const auto taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }

  uint64_t fixed(int count) {
    uint64_t value = 0;
    for (int shift = 0; const unsigned char byte : take(count)) {
      value |= static_cast<uint64_t>(byte) << shift;
      shift += 8;
    }
    return value;
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    throw Broken();
  }

  std::string_view left_;
};

SentencePieceModel::Piece piece_of(std::string_view bytes) {
  SentencePieceModel::Piece piece;
  Fields fields(bytes);
  for (Fields::Field field; fields.next(field);) {
    if (field.number == 1) piece.text = field.bytes;
    if (field.number == 2) piece.score = std::bit_cast<float>(static_cast<uint32_t>(field.value));
    if (field.number == 3) piece.kind = static_cast<SentencePieceModel::Kind>(field.value);
  }
  return piece;
}

void read_trainer_spec(std::string_view bytes, SentencePieceModel& model) {
  Fields fields(bytes);
  for (Fields::Field field; fields.next(field);) {
    if (field.number == 3) model.type = static_cast<SentencePieceModel::Type>(field.value);
    if (field.number == 24) model.space_follows = field.value != 0;
    if (field.number == 35) model.byte_fallback = field.value != 0;
  }
}

void read_normalizer_spec(std::string_view bytes, SentencePieceModel& model) {
  Fields fields(bytes);
  for (Fields::Field field; fields.next(field);) {
    if (field.number == 3) model.extra_space = field.value != 0;
    if (field.number == 5) model.visible_spaces = field.value != 0;
  }
}

}  // namespace

SentencePieceModel read_sentencepiece_model(std::string_view bytes, const std::string& where) {
  SentencePieceModel model;
  try {
    Fields fields(bytes);
    for (Fields::Field field; fields.next(field);) {
      if (field.number == 1) model.pieces.push_back(piece_of(field.bytes));
      if (field.number == 2) read_trainer_spec(field.bytes, model);
      if (field.number == 3) read_normalizer_spec(field.bytes, model);
    }
  } catch (const Broken&) {
    throw DataError(where + ": is no SentencePiece model");
  }
  if (model.pieces.empty()) throw DataError(where + ": is no SentencePiece model");
  return model;
}

}  // namespace heed::text
