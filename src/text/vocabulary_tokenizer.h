#pragma once

#include <string>
#include <vector>

#include "text/split.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace heed::text {

/// Words, white-space separated pieces or characters, looked up in a list.
class VocabularyTokenizer final : public Tokenizer {
 public:
  /// type: word, whitespace or char. joiner: see config::Tokenizer.
  VocabularyTokenizer(const std::string& type, Vocabulary vocabulary,
                      const std::string& joiner = "");

  /// The pieces of these lines by frequency; at most `size` with the special tokens. Throws
  /// DataError where there is none.
  static VocabularyTokenizer train(const std::string& type, const std::vector<std::string>& lines,
                                   int64_t size, int64_t min_count, const std::string& joiner = "");

  std::vector<Token> tokens(const std::string& line) const override;
  std::vector<int64_t> encode(const std::string& line) const override;
  std::string decode(std::span<const int64_t> ids) const override;
  int64_t size() const override { return vocabulary_.size(); }
  std::string piece(int64_t id) const override { return vocabulary_.piece(id); }
  std::vector<TokenizerFile> files() const override { return {{".vocab", vocabulary_.lines()}}; }
  void save(const std::filesystem::path& directory, const std::string& name) const override;

 private:
  Splitting splitting_;
  Vocabulary vocabulary_;
};

}  // namespace heed::text
