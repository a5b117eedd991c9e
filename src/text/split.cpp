#include "text/split.h"

#include <map>
#include <stdexcept>
#include <string_view>

#include "base/utf8.h"
#include "text/characters.h"
#include "text/detokenize.h"

namespace heed::text {
namespace {

using Spans = std::vector<Span>;

Spans split_whitespace(const std::u32string& line) {
  Spans spans;
  const auto len = std::ssize(line);
  for (int64_t begin = 0; begin < len;) {
    int64_t end = begin;
    while (end < len && !is_space(line[end])) ++end;
    if (end > begin) spans.push_back({begin, end});
    begin = end + 1;
  }
  return spans;
}

/// An apostrophe, hyphen or full stop between two letters or digits stays inside the word.
bool inside_word(const std::u32string& line, int64_t at) {
  constexpr std::u32string_view kInside = U"'\u2019-.,";
  const char32_t c = line[at];
  if (is_word(c)) return true;
  if (kInside.find(c) == kInside.npos || at == 0 || at + 1 == std::ssize(line)) return false;
  return is_word(line[at - 1]) && is_word(line[at + 1]);
}

Spans split_words(const std::u32string& line) {
  Spans spans;
  const auto len = std::ssize(line);
  for (int64_t begin = 0; begin < len;) {
    if (is_space(line[begin])) {
      ++begin;
      continue;
    }
    int64_t end = begin;
    while (end < len && !is_space(line[end]) && inside_word(line, end)) ++end;
    if (end == begin) ++end;  // a mark of its own
    spans.push_back({begin, end});
    begin = end;
  }
  return spans;
}

Spans split_characters(const std::u32string& line) {
  Spans spans;
  const auto len = std::ssize(line);
  for (int64_t at = 0; at < len; ++at) {
    int64_t end = at;
    while (end < len && is_space(line[end])) ++end;
    if (end == at) {
      spans.push_back({at, at + 1});
    } else {
      if (at > 0 && end < len) spans.push_back({at, end});
      at = end - 1;
    }
  }
  return spans;
}

std::string join_characters(const std::vector<std::string>& pieces) {
  std::string line;
  for (const auto& piece : pieces) line += piece == kVisibleSpace ? " " : piece;
  return line;
}

}  // namespace

Splitting splitting(const std::string& type) {
  static const std::map<std::string, Splitting> kSplittings = {
      {"whitespace",
       {split_whitespace, [](const auto& pieces) { return join_with_spaces(pieces); }}},
      {"word", {split_words, detokenize}},
      {"char", {split_characters, join_characters}},
  };
  const auto found = kSplittings.find(type);
  if (found == kSplittings.end()) throw std::logic_error("no splitting is called " + type);
  return found->second;
}

std::string join_with_spaces(const std::vector<std::string>& pieces, const std::string& joiner) {
  std::string line;
  bool joined = true;
  for (const auto& piece : pieces) {
    if (!joined) line += ' ';
    joined = !joiner.empty() && piece.ends_with(joiner);
    line.append(piece, 0, piece.size() - (joined ? joiner.size() : 0));
  }
  return line;
}

std::string without_joiner(const config::Tokenizer& config, std::string line) {
  const bool pieces = config.type == "whitespace" && !config.joiner.empty();
  return pieces ? joined_line(line, config.joiner) : line;
}

std::string joined_line(const std::string& line, const std::string& joiner) {
  const auto characters = code_points(line);
  std::vector<std::string> pieces;
  for (const auto& [begin, end] : split_whitespace(characters)) {
    pieces.push_back(to_utf8(std::u32string_view(characters).substr(begin, end - begin)));
  }
  return join_with_spaces(pieces, joiner);
}

}  // namespace heed::text
