#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/normalize.h"
#include "text/tokenizer.h"

namespace heed::text {

/// A tokenizer that reads lines after a Normalizer. Places are those of the line as given.
class NormalizedTokenizer final : public Tokenizer {
 public:
  NormalizedTokenizer(std::shared_ptr<const Tokenizer> inner, Normalizer normalizer);

  std::vector<Token> tokens(const std::string& line) const override;
  std::vector<int64_t> encode(const std::string& line) const override;
  std::vector<int64_t> sample(const std::string& line, Random& random) const override;
  std::string decode(std::span<const int64_t> ids) const override { return inner_->decode(ids); }
  int64_t size() const override { return inner_->size(); }
  std::string piece(int64_t id) const override { return inner_->piece(id); }
  std::vector<TokenizerFile> files() const override { return inner_->files(); }
  void save(const std::filesystem::path& directory, const std::string& name) const override {
    inner_->save(directory, name);
  }

 private:
  std::shared_ptr<const Tokenizer> inner_;
  Normalizer normalizer_;
};

}  // namespace heed::text
