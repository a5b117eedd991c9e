#include "text/sentencepiece_tokenizer.h"

#include <algorithm>
#include <utility>

#include <sentencepiece_processor.h>

#include "base/error.h"
#include "base/files.h"
#include "base/utf8.h"
#include "text/characters.h"
#include "text/lines.h"
#include "text/vocabulary.h"

namespace heed::text {
namespace {

/// Byte offsets of well-formed UTF-8, which never decrease, as code points.
class CodePointOffsets {
 public:
  explicit CodePointOffsets(const std::string& text) : text_(text) {}

  int64_t operator()(std::size_t byte) {
    for (; at_ < byte && at_ < text_.size(); ++at_) {
      if ((static_cast<unsigned char>(text_[at_]) & 0xC0) != 0x80) ++count_;
    }
    return count_;
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
  int64_t count_ = 0;
};

/// Without white space at its edges, unless that is all there is.
void trim(const std::u32string& text, Token& token) {
  auto [begin, end] = std::pair(token.begin, token.end);
  while (begin < end && is_space(text[begin])) ++begin;
  while (end > begin && is_space(text[end - 1])) --end;
  if (begin == end) return;
  token.begin = begin;
  token.end = end;
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(std::string model, bool trained_here,
                                               const std::string& where)
    : model_(std::move(model)),
      trained_here_(trained_here),
      processor_(std::make_unique<sentencepiece::SentencePieceProcessor>()) {
  const auto loaded = processor_->LoadFromSerializedProto(model_);
  if (model_.empty() || !loaded.ok()) {
    throw DataError(where + ": is no SentencePiece model");
  }
  model_ids_ = {processor_->pad_id(), processor_->unk_id(), processor_->bos_id(),
                processor_->eos_id()};
  our_ids_.assign(processor_->GetPieceSize(), kUnknown);
  for (int id = 0; id < processor_->GetPieceSize(); ++id) {
    if (processor_->IsControl(id) || processor_->IsUnknown(id)) continue;
    our_ids_[id] = size();
    model_ids_.push_back(id);
  }
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

/// Controls become spaces one for one, so code points keep their places.
std::string SentencePieceTokenizer::readable(const std::string& line) const {
  return trained_here_ ? without_controls(line) : line;
}

std::vector<Token> SentencePieceTokenizer::tokens(const std::string& line) const {
  const auto text = readable(line);
  const auto result = processor_->EncodeAsImmutableProto(text);
  const auto characters = code_points(text);
  CodePointOffsets offset(text);
  std::vector<Token> tokens;
  for (const auto& piece : result.pieces()) {
    const auto id = our_ids_[piece.id()];
    const auto begin = offset(piece.begin());
    Token token{id, this->piece(id), begin, offset(piece.end())};
    trim(characters, token);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

std::vector<int64_t> SentencePieceTokenizer::encode(const std::string& line) const {
  std::vector<int64_t> ids;
  for (const int id : processor_->EncodeAsIds(readable(line))) ids.push_back(our_ids_[id]);
  return ids;
}

std::string SentencePieceTokenizer::decode(std::span<const int64_t> ids) const {
  std::vector<int> model_ids;
  for (const int64_t id : ids) {
    if (id >= kSpecials || id == kUnknown) model_ids.push_back(model_ids_.at(id));
  }
  return processor_->DecodeIds(model_ids);
}

std::string SentencePieceTokenizer::piece(int64_t id) const {
  return id < kSpecials ? special_piece(id) : processor_->IdToPiece(model_ids_.at(id));
}

void SentencePieceTokenizer::save(const std::filesystem::path& directory,
                                  const std::string& name) const {
  replace_file(directory / (name + ".model"), model_);
  std::string pieces;
  for (int64_t id = 0; id < size(); ++id) pieces += escape_piece(piece(id)) + '\n';
  replace_file(directory / (name + ".vocab"), pieces);  // to be read by people
}

}  // namespace heed::text
