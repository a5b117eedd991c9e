#include "text/sentencepiece_tokenizer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <sentencepiece_processor.h>

#include "base/error.h"
#include "base/files.h"
#include "base/utf8.h"
#include "text/characters.h"
#include "text/lines.h"
#include "text/normal_chunks.h"
#include "text/sentencepiece_model.h"
#include "text/sentencepiece_segmenter.h"
#include "text/split.h"
#include "text/vocabulary.h"

namespace heed::text {
namespace {

constexpr int64_t kChunk = 4096;  // bytes of a long line that the library reads at once

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
                                               const std::string& where, double sampling)
    : model_(std::move(model)),
      trained_here_(trained_here),
      sampling_(sampling),
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
  const auto read = read_sentencepiece_model(model_, where);
  extra_space_ = read.extra_space;
  space_follows_ = read.space_follows;
  if (SentencePieceSegmenter::can_use(read)) {
    segmenter_ = std::make_unique<SentencePieceSegmenter>(read);
  } else if (sampling > 0) {
    throw DataError(where + ": tokenizer.sampling needs a BPE or unigram model, and this is none");
  }
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

/// Controls become spaces one for one, so code points keep their places.
std::string SentencePieceTokenizer::readable(const std::string& line) const {
  return trained_here_ ? without_controls(line) : line;
}

/// The library takes the length of the whole line for each piece of it.
bool SentencePieceTokenizer::too_long(const std::string& text) const {
  return segmenter_ != nullptr && std::ssize(text) > 2 * kChunk;
}

/// A normalized line. With places: by its characters, the code points of the line each stands for.
struct SentencePieceTokenizer::Normal {
  std::string text;
  std::vector<int64_t> begin, end;

  /// A piece of the library's, which covers [from, to) of the line. Its characters stand for as
  /// many of the line, and what it has more at its beginning for none.
  void place(const std::string& piece, int64_t from, int64_t to) {
    auto at = to - std::ranges::count_if(piece, begins_letter);
    for (const char byte : piece) {
      if (!begins_letter(byte)) continue;
      begin.push_back(std::clamp(at, from, to));
      end.push_back(std::clamp(++at, from, to));
    }
  }

  /// One byte of a character; the library gives the character's place to the last of them.
  void place_byte(char byte, int64_t from, int64_t to) {
    if (begins_letter(byte)) {
      begin.push_back(from);
      end.push_back(to);
    } else {
      end.back() = to;
    }
  }

  static bool begins_letter(unsigned char byte) { return (byte & 0xC0) != 0x80; }
};

/// What the library's pieces are cut from: all of them, one after the other.
SentencePieceTokenizer::Normal SentencePieceTokenizer::normalized(const std::string& text,
                                                                  bool with_places) const {
  Normal normal;
  const auto chunks = normal_chunks(text, kChunk);
  int64_t before = 0;  // code points of the chunks so far
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::string chunk(chunks[i]);
    CodePointOffsets offset(chunk);
    const auto result = processor_->EncodeAsImmutableProto(chunk);
    const auto pieces = result.pieces();
    for (const auto& each : pieces) {
      const auto from = before + offset(each.begin());
      const auto to = before + offset(each.end());
      if (processor_->IsByte(static_cast<int>(each.id()))) {
        const auto byte = static_cast<char>(std::stoi(each.piece().substr(3, 2), nullptr, 16));
        normal.text += byte;
        if (with_places) normal.place_byte(byte, from, to);
        continue;
      }
      const auto piece = without_extra_space(each.piece(), i > 0 && &each == &pieces.front(),
                                             i + 1 < chunks.size() && &each == &pieces.back());
      normal.text += piece;
      if (with_places) normal.place(piece, from, to);
    }
    before += offset(chunk.size());
  }
  return normal;
}

/// Of the spaces that the model adds to lines, those of chunks in the middle are none of the
/// line's.
std::string SentencePieceTokenizer::without_extra_space(std::string piece, bool begins_later_chunk,
                                                        bool ends_earlier_chunk) const {
  if (!extra_space_) return piece;
  if (begins_later_chunk && !space_follows_ && piece.starts_with(kVisibleSpace)) {
    piece.erase(0, kVisibleSpace.size());
  }
  if (ends_earlier_chunk && space_follows_ && piece.ends_with(kVisibleSpace)) {
    piece.erase(piece.size() - kVisibleSpace.size());
  }
  return piece;
}

std::vector<Token> SentencePieceTokenizer::long_tokens(const std::string& text) const {
  const auto normal = normalized(text, /*with_places=*/true);
  const auto characters = code_points(text);
  CodePointOffsets offset(normal.text);
  std::vector<Token> tokens;
  for (const auto& piece : segmenter_->best(normal.text)) {
    const auto id = our_ids_[piece.id];
    const auto [first, behind] = std::pair(offset(piece.begin), offset(piece.end));
    const auto last = std::max(behind - 1, int64_t{0});
    Token token{id, this->piece(id), normal.begin[std::min(first, last)], normal.end[last]};
    trim(characters, token);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

std::vector<Token> SentencePieceTokenizer::tokens(const std::string& line) const {
  const auto text = readable(line);
  if (too_long(text)) return long_tokens(text);
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
  const auto text = readable(line);
  std::vector<int64_t> ids;
  if (too_long(text)) {
    const auto normal = normalized(text, /*with_places=*/false);
    for (const auto& piece : segmenter_->best(normal.text)) ids.push_back(our_ids_[piece.id]);
  } else {
    for (const int id : processor_->EncodeAsIds(text)) ids.push_back(our_ids_[id]);
  }
  return ids;
}

std::vector<int64_t> SentencePieceTokenizer::sample(const std::string& line, Random& random) const {
  if (sampling_ == 0) return encode(line);
  const auto normal = normalized(readable(line), /*with_places=*/false);
  std::vector<int64_t> ids;
  for (const auto& piece : segmenter_->sample(normal.text, sampling_, random)) {
    ids.push_back(our_ids_[piece.id]);
  }
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
