#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/data.h"
#include "text/tokenizer.h"

namespace heed::pipeline {

/// How a run reads a line: behind the prefix of every source, or as two texts with a tab between.
class SourceReader {
 public:
  explicit SourceReader(std::shared_ptr<const text::Tokenizer> tokenizer,
                        const config::Data& config = {});

  bool pairs() const { return pairs_; }

  /// Ids without special tokens, but the </s> between two texts.
  std::vector<int64_t> encode(const std::string& line) const;

  /// What is read, prefix included, and its tokens, with ranges in it. The </s> between two texts
  /// covers nothing.
  std::string text(const std::string& line) const;
  std::vector<text::Token> tokens(const std::string& line) const;

 private:
  std::shared_ptr<const text::Tokenizer> tokenizer_;
  std::string prefix_;
  bool pairs_;
};

}  // namespace heed::pipeline
