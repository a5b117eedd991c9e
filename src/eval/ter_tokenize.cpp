#include "eval/ter_tokenize.h"

#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "eval/respace.h"
#include "eval/unicode.h"

namespace heed::eval {
namespace {

using Text = std::u32string;

bool is_asian_punctuation(char32_t c) {
  constexpr std::u32string_view kSingle =
      U"\u3001\u3002\u30fb\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09";
  return (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) ||
         (c >= 0xFF61 && c <= 0xFF65) || kSingle.find(c) != std::u32string_view::npos;
}

/// Ideographs, and by a slip of sacreBLEU's all of U+3200..U+3F22. Its rules for kana act on whole
/// lines only, where they change nothing.
bool is_split_asian(char32_t c) {
  static constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x31C0, 0x31EF}, {0x2E80, 0x2EFF},
      {0x3200, 0x3F22}, {0xF900, 0xFAFF}, {0xFE30, 0xFE4F},
  };
  for (const auto& [low, high] : kRanges) {
    if (low <= c && c <= high) return true;
  }
  return is_asian_punctuation(c);
}

Text normalized(Text line) {
  replace_entities(line);
  line = space_marks(U" " + line + U" ");
  replace_all(line, U"'s ", U" 's ");
  return space_points(line);
}

template <typename Unwanted>
Text without(const Text& text, Unwanted unwanted) {
  Text out;
  for (const auto c : text) {
    if (!unwanted(c)) out += c;
  }
  return out;
}

bool is_removed(char32_t c) {
  return std::u32string_view(U".,?:;!\"()").find(c) != std::u32string_view::npos;
}

}  // namespace

std::vector<std::u32string> ter_tokenize(const std::string& line, const TerOptions& options) {
  auto text = code_points(options.case_sensitive ? line : lower(line));
  while (!text.empty() && is_space(text.back())) text.pop_back();
  if (options.normalized) {
    text = normalized(text);
    if (options.asian_support) text = space_around(text, is_split_asian);
  }
  if (options.no_punct) {
    text = without(text, is_removed);
    if (options.asian_support) text = without(text, is_asian_punctuation);
  }
  const auto words = split(text);
  return {words.begin(), words.end()};
}

}  // namespace heed::eval
