#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "config/data.h"
#include "config/decode.h"
#include "pipeline/source_reader.h"

namespace heed::pipeline {

/// Where lines come from, for error texts.
struct Origin {
  std::string file = "input";
  int64_t first_line = 1;
};

/// What may happen to a text that is too long.
struct LengthRule {
  int64_t max_len = 0;   // tokens of a text, special tokens on top
  std::string overlong;  // truncate, split or error
  bool apart = false;    // split: no two sentences in a part, as a translator was trained

  /// How a run of this task reads its lines.
  static LengthRule of(const config::Data& data, const config::Decode& decode, bool translate) {
    return {.max_len = data.max_len, .overlong = decode.overlong, .apart = translate};
  }
};

/// One line as ids, without special tokens.
struct EncodedLine {
  std::vector<int64_t> ids;  // at most max_len; empty for a line of white space
  int64_t tokens = 0;        // of the whole line
  int64_t unknown = 0;       // of those read, how many the vocabulary lacks
  int64_t parts = 1;         // texts it was read in
  bool truncated() const { return tokens > std::ssize(ids); }
};

/// Lines in the parts a model reads them in. first[i] is the place of line i's first part; the last
/// entry is the number of all parts.
struct LineParts {
  std::vector<std::string> texts;
  std::vector<std::size_t> first;
};

/// One line from its parts: what they hold, one after the other.
void append_part(const EncodedLine& part, EncodedLine& line);

/// Under the rule split, a line of more than max_len tokens is cut at the ends of sentences, a
/// sentence that is too long at the ends of words, and such a word between its characters: into as
/// few parts as these places allow, or, `apart`, a part for each sentence that fits. Under any
/// other rule each line is one part.
LineParts parts_of(const SourceReader& reader, const std::vector<std::string>& lines,
                   const LengthRule& rule);

/// Throws DataError, "FILE:LINE: ...", for a line over `rule.max_len` tokens where the rule is
/// error; otherwise the ids of a line that is too long are those of its beginning.
std::vector<EncodedLine> encode_lines(const SourceReader& reader,
                                      const std::vector<std::string>& lines, const LengthRule& rule,
                                      const Origin& origin);

}  // namespace heed::pipeline
