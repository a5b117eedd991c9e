#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/tokenizer.h"

namespace heed::text {

/// U+2581, the visible space: SentencePiece's mark where a word begins.
inline constexpr std::string_view kVisibleSpace = "\u2581";

/// One piece of a line, [begin, end) in its code points.
struct Span {
  int64_t begin = 0;
  int64_t end = 0;
};

/// How a line falls into pieces before a vocabulary gives them ids, and how pieces become a line.
struct Splitting {
  std::function<std::vector<Span>(const std::u32string&)> split;
  std::function<std::string(const std::vector<std::string>&)> join;
};

/// `whitespace` (what stands between white space), `word` (punctuation apart, joined as a reader
/// expects) or `char` (characters, a run of white space as one U+2581).
Splitting splitting(const std::string& type);

/// Pieces with a space between them, but none behind a piece that ends with the joiner, which is
/// left out; an empty joiner joins nothing.
std::string join_with_spaces(const std::vector<std::string>& pieces,
                             const std::string& joiner = "");

/// A line as a reader has it: pieces that the config's joiner marks joined, any other as it is.
std::string without_joiner(const config::Tokenizer& config, std::string line);

/// A line of segmented text as a reader has it: its pieces, which white space parts, joined.
std::string joined_line(const std::string& line, const std::string& joiner);

}  // namespace heed::text
