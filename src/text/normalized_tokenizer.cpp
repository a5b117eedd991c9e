#include "text/normalized_tokenizer.h"

#include <utility>

namespace heed::text {

NormalizedTokenizer::NormalizedTokenizer(std::shared_ptr<const Tokenizer> inner,
                                         Normalizer normalizer)
    : inner_(std::move(inner)), normalizer_(normalizer) {}

std::vector<Token> NormalizedTokenizer::tokens(const std::string& line) const {
  const auto placed = normalizer_.with_places(line);
  const auto len = std::ssize(placed.begin);
  const auto last = len == 0 ? 0 : placed.end.back();
  auto tokens = inner_->tokens(placed.text);
  for (auto& token : tokens) {
    const bool empty = token.begin == token.end;
    token.begin = token.begin < len ? placed.begin[token.begin] : last;
    token.end = empty ? token.begin : placed.end[token.end - 1];
  }
  return tokens;
}

std::vector<int64_t> NormalizedTokenizer::encode(const std::string& line) const {
  return inner_->encode(normalizer_(line));
}

std::vector<int64_t> NormalizedTokenizer::sample(const std::string& line, Random& random) const {
  return inner_->sample(normalizer_(line), random);
}

}  // namespace heed::text
