#include "eval/bleu_tokenize.h"

#include <map>
#include <stdexcept>
#include <utility>

#include "base/utf8.h"
#include "eval/unicode.h"

namespace heed::eval {
namespace {

using Text = std::u32string;

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_point(char32_t c) { return c == U'.' || c == U','; }
bool is_dash(char32_t c) { return c == U'-'; }
bool is_no_digit(char32_t c) { return !is_digit(c); }
bool is_no_number(char32_t c) { return !is_number(c); }

/// ASCII punctuation (and the space) but ' - . and ,
bool stands_alone(char32_t c) {
  return (c >= U'{' && c <= U'~') || (c >= U'[' && c <= U'`') || (c >= U' ' && c <= U'&') ||
         (c >= U'(' && c <= U'+') || (c >= U':' && c <= U'@') || c == U'/';
}

/// s/(single)/ \1 /g
template <typename Single>
Text space_around(const Text& text, Single single) {
  Text out;
  for (const auto c : text) {
    if (single(c)) {
      out += {U' ', c, U' '};
    } else {
      out += c;
    }
  }
  return out;
}

enum class Mark { kFirst, kSecond };

/// s/(first)(second)/\1 \2 /g where the mark is the second, else s/(first)(second)/ \1 \2/g: the
/// mark gets a space on each side. As in a regular expression, matches don't overlap.
template <typename First, typename Second>
Text space_in_pair(const Text& text, First first, Second second, Mark mark) {
  Text out;
  std::size_t i = 0;
  while (i < text.size()) {
    if (i + 1 == text.size() || !first(text[i]) || !second(text[i + 1])) {
      out += text[i++];
      continue;
    }
    if (mark == Mark::kFirst) out += U' ';
    out += {text[i], U' ', text[i + 1]};
    if (mark == Mark::kSecond) out += U' ';
    i += 2;
  }
  return out;
}

Text western(const Text& line) {
  auto text = space_around(line, stands_alone);
  text = space_in_pair(text, is_no_digit, is_point, Mark::kSecond);
  text = space_in_pair(text, is_point, is_no_digit, Mark::kFirst);
  return space_in_pair(text, is_digit, is_dash, Mark::kSecond);
}

void replace_all(Text& text, const Text& from, const Text& to) {
  for (auto at = text.find(from); at != Text::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// mteval-v13a, as used by WMT.
Text tokenize_13a(Text line) {
  const std::pair<const char32_t*, const char32_t*> replacements[] = {
      {U"<skipped>", U""}, {U"-\n", U""},   {U"\n", U" "},   {U"&quot;", U"\""},
      {U"&amp;", U"&"},    {U"&lt;", U"<"}, {U"&gt;", U">"},
  };
  for (const auto& [from, to] : replacements) replace_all(line, from, to);
  return western(U" " + line + U" ");
}

/// mteval-v14: punctuation and symbols of all scripts, but inside numbers.
Text tokenize_intl(Text line) {
  line = space_in_pair(line, is_no_number, is_punctuation, Mark::kSecond);
  line = space_in_pair(line, is_punctuation, is_no_number, Mark::kFirst);
  return space_around(line, is_symbol);
}

/// sacreBLEU's list as it acts: two of its ranges are written with five hex digits, which Python
/// reads as four and a character, so that U+2001..U+2A6D count too and the supplements don't.
bool is_chinese(char32_t c) {
  static constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3000, 0x303F},
      {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5},
      {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F},
      {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
  };
  for (const auto& [low, high] : kRanges) {
    if (low <= c && c <= high) return true;
  }
  return false;
}

Text tokenize_zh(Text line) { return western(space_around(line, is_chinese)); }

Text tokenize_char(Text line) {
  return space_around(line, [](char32_t) { return true; });
}

Text tokenize_none(Text line) { return line; }

const std::map<std::string, Text (*)(Text)>& table() {
  static const std::map<std::string, Text (*)(Text)> kTable = {
      {"13a", tokenize_13a},   {"char", tokenize_char}, {"intl", tokenize_intl},
      {"none", tokenize_none}, {"zh", tokenize_zh},
  };
  return kTable;
}

Text without_end_spaces(Text text) {
  while (!text.empty() && is_space(text.back())) text.pop_back();
  return text;
}

}  // namespace

const std::vector<std::string>& bleu_tokenizers() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const auto& [name, tokenize] : table()) names.push_back(name);
    return names;
  }();
  return kNames;
}

std::vector<std::u32string> bleu_tokenize(const std::string& name, const std::string& line) {
  const auto found = table().find(name);
  if (found == table().end()) throw std::logic_error("no tokenizer of BLEU: " + name);
  const auto text = found->second(without_end_spaces(code_points(line)));
  const auto words = split(text);
  return {words.begin(), words.end()};
}

}  // namespace heed::eval
