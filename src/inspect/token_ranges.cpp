#include "inspect/token_ranges.h"

#include <algorithm>
#include <span>

#include "base/utf8.h"

namespace heed::inspect {
namespace {

int64_t common_prefix(const std::u32string& a, const std::u32string& b) {
  return std::ranges::mismatch(a, b).in1 - a.begin();
}

}  // namespace

std::vector<text::Token> written_tokens(const text::Tokenizer& tokenizer,
                                        const std::vector<int64_t>& ids, const std::string& text) {
  const auto whole = code_points(text);
  std::vector<text::Token> tokens;
  int64_t reached = 0;
  for (std::size_t count = 1; count <= ids.size(); ++count) {
    const auto id = ids[count - 1];
    text::Token token{.id = id, .piece = tokenizer.piece(id), .begin = reached, .end = reached};
    if (!special(id)) {
      const auto so_far = code_points(tokenizer.decode(std::span(ids).first(count)));
      token.end = std::max(reached, common_prefix(whole, so_far));
      while (token.begin < token.end && whole[token.begin] == U' ') ++token.begin;
      reached = token.end;
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

bool special(int64_t id) { return id == text::kPad || id == text::kBegin || id == text::kEnd; }

}  // namespace heed::inspect
