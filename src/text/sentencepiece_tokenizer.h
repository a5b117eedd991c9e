#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace heed::text {

class SentencePieceSegmenter;

/// A SentencePiece model, BPE or unigram (Kudo & Richardson, 2018), trained by heed or elsewhere.
/// Ids are heed's: its special tokens first, then the model's other pieces in their order; control
/// symbols of the model have none, and text never becomes one.
class SentencePieceTokenizer final : public Tokenizer {
 public:
  /// model: the bytes of a model file. trained_here: control characters count as white space; a
  /// model from elsewhere keeps its library's behavior. sampling: what sample() draws with, the
  /// dropout of BPE or the alpha of unigram; 0 is off. Throws DataError, "WHERE: what".
  SentencePieceTokenizer(std::string model, bool trained_here, const std::string& where,
                         double sampling = 0.0);
  ~SentencePieceTokenizer() override;

  std::vector<Token> tokens(const std::string& line) const override;
  std::vector<int64_t> encode(const std::string& line) const override;
  std::vector<int64_t> sample(const std::string& line, Random& random) const override;
  std::string decode(std::span<const int64_t> ids) const override;
  int64_t size() const override { return static_cast<int64_t>(model_ids_.size()); }
  std::string piece(int64_t id) const override;
  std::vector<TokenizerFile> files() const override { return {{".model", model_}}; }
  void save(const std::filesystem::path& directory, const std::string& name) const override;

 private:
  struct Normal;

  std::string readable(const std::string& line) const;
  Normal normalized(const std::string& text, bool with_places) const;
  std::string without_extra_space(std::string piece, bool begins_later_chunk,
                                  bool ends_earlier_chunk) const;
  std::vector<Token> long_tokens(const std::string& text) const;
  bool too_long(const std::string& text) const;

  std::string model_;
  bool trained_here_;
  double sampling_;
  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  std::unique_ptr<SentencePieceSegmenter> segmenter_;  // null: a model that it can't use
  bool extra_space_ = true;                            // see SentencePieceModel
  bool space_follows_ = false;
  std::vector<int> model_ids_;    // by our id; -1 where the model has no such special token
  std::vector<int64_t> our_ids_;  // by the model's id; that of <unk> for control symbols
};

}  // namespace heed::text
