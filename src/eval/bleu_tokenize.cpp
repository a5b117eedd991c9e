#include "eval/bleu_tokenize.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "base/utf8.h"
#include "eval/respace.h"
#include "eval/unicode.h"

namespace heed::eval {
namespace {

using Text = std::u32string;

bool is_no_number(char32_t c) { return !is_number(c); }

Text western(const Text& text) { return space_points(space_marks(text)); }

/// mteval-v13a, as used by WMT.
Text tokenize_13a(Text line) {
  replace_all(line, U"<skipped>", U"");
  replace_all(line, U"-\n", U"");
  replace_all(line, U"\n", U" ");
  replace_entities(line);
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

Text tokenize_zh(Text line) {
  const auto begin = std::ranges::find_if_not(line, is_space);
  return western(space_around(Text(begin, line.end()), is_chinese));
}

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
