#include "pipeline/source_reader.h"

#include <utility>

#include "base/utf8.h"
#include "data/text_pair.h"

namespace heed::pipeline {

SourceReader::SourceReader(std::shared_ptr<const text::Tokenizer> tokenizer,
                           const config::Data& config)
    : tokenizer_(std::move(tokenizer)),
      prefix_(config.source_prefix),
      pairs_(!config.second.empty()) {}

std::vector<int64_t> SourceReader::encode(const std::string& line) const {
  return pairs_ ? data::encode_pair(*tokenizer_, line) : tokenizer_->encode(text(line));
}

std::string SourceReader::text(const std::string& line) const {
  return pairs_ ? line : data::prefixed(prefix_, line);
}

std::vector<text::Token> SourceReader::tokens(const std::string& line) const {
  if (!pairs_) return tokenizer_->tokens(text(line));
  const auto [first, second] = data::texts_of(line);
  auto tokens = tokenizer_->tokens(first);
  const auto end = std::ssize(code_points(first));
  tokens.push_back(
      {.id = text::kEnd, .piece = tokenizer_->piece(text::kEnd), .begin = end, .end = end});
  for (auto token : tokenizer_->tokens(second)) {
    token.begin += end + 1;
    token.end += end + 1;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace heed::pipeline
