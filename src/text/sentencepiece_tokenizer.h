#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace heed::text {

/// A SentencePiece model, BPE or unigram (Kudo & Richardson, 2018), trained by heed or elsewhere.
/// Ids are heed's: its special tokens first, then the model's other pieces in their order; control
/// symbols of the model have none, and text never becomes one.
class SentencePieceTokenizer final : public Tokenizer {
 public:
  /// model: the bytes of a model file. trained_here: control characters count as white space; a
  /// model from elsewhere keeps its library's behavior. Throws DataError, "WHERE: what".
  SentencePieceTokenizer(std::string model, bool trained_here, const std::string& where);
  ~SentencePieceTokenizer() override;

  std::vector<Token> tokens(const std::string& line) const override;
  std::vector<int64_t> encode(const std::string& line) const override;
  std::string decode(std::span<const int64_t> ids) const override;
  int64_t size() const override { return static_cast<int64_t>(model_ids_.size()); }
  std::string piece(int64_t id) const override;
  std::string file() const override { return model_; }
  void save(const std::filesystem::path& directory, const std::string& name) const override;

 private:
  std::string readable(const std::string& line) const;

  std::string model_;
  bool trained_here_;
  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  std::vector<int> model_ids_;    // by our id; -1 where the model has no such special token
  std::vector<int64_t> our_ids_;  // by the model's id; that of <unk> for control symbols
};

}  // namespace heed::text
