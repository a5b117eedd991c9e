#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace heed::pipeline {

/// Where lines come from, for error texts.
struct Origin {
  std::string file = "input";
  int64_t first_line = 1;
};

/// What may happen to a text that is too long.
struct LengthRule {
  int64_t max_len = 0;   // tokens of a text, special tokens on top
  std::string overlong;  // truncate or error
};

/// One line as ids, without special tokens.
struct EncodedLine {
  std::vector<int64_t> ids;  // at most max_len; empty for a line of white space
  int64_t tokens = 0;        // of the whole line
  bool truncated() const { return tokens > std::ssize(ids); }
};

/// Throws DataError, "FILE:LINE: ...", for a line over `rule.max_len` tokens where the rule is
/// error.
std::vector<EncodedLine> encode_lines(const text::Tokenizer& tokenizer,
                                      const std::vector<std::string>& lines, const LengthRule& rule,
                                      const Origin& origin);

}  // namespace heed::pipeline
