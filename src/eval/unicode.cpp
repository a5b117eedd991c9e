#include "eval/unicode.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace heed::eval {
namespace {

bool in_category(char32_t c, uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & mask) != 0;
}

}  // namespace

bool is_space(char32_t c) {
  const bool separates_fields = c >= 0x1C && c <= 0x1F;
  return separates_fields || u_isUWhiteSpace(static_cast<UChar32>(c));
}

bool is_number(char32_t c) { return in_category(c, U_GC_N_MASK); }
bool is_punctuation(char32_t c) { return in_category(c, U_GC_P_MASK); }
bool is_symbol(char32_t c) { return in_category(c, U_GC_S_MASK); }

std::vector<std::u32string_view> split(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && !is_space(text[i])) continue;
    if (i > begin) words.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return words;
}

std::u32string without_spaces(std::u32string_view text) {
  std::u32string out;
  for (const auto c : text) {
    if (!is_space(c)) out += c;
  }
  return out;
}

std::string lower(const std::string& utf8) {
  std::string out;
  icu::UnicodeString::fromUTF8(utf8).toLower(icu::Locale::getRoot()).toUTF8String(out);
  return out;
}

}  // namespace heed::eval
