#include "data/line_facts.h"

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "text/characters.h"

namespace heed::data {
namespace {

constexpr int64_t kFewCharacters = 4;
constexpr int64_t kLongWord = 40;
constexpr char32_t kReplacement = 0xFFFD;

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

}  // namespace

LineFacts facts_of(const std::string& line) {
  LineFacts facts;
  std::map<text::Script, int64_t> scripts;
  int64_t word = 0;
  for (const auto c : code_points(line)) {
    ++facts.characters;
    facts.controls = facts.controls || (text::is_control(c) && c != U'\t' && c != U'\n');
    facts.ill_formed = facts.ill_formed || c == kReplacement;
    if (text::is_space(c)) {
      word = 0;
      continue;
    }
    facts.words += word == 0 ? 1 : 0;
    facts.longest_word = std::max(facts.longest_word, ++word);
    ++facts.visible;
    if (!text::is_word(c) || is_digit(c)) continue;
    ++facts.letters;
    const auto script = text::script_of(c);
    if (script != text::kNoScript) ++scripts[script];
  }
  const auto most =
      std::ranges::max_element(scripts, {}, [](const auto& item) { return item.second; });
  if (most != scripts.end()) facts.script = most->first;
  return facts;
}

bool mostly_no_letters(const LineFacts& facts) {
  return facts.visible >= kFewCharacters && 2 * facts.letters < facts.visible;
}

bool very_long_word(const LineFacts& facts) {
  static const auto east_asian = text::script_of(U'\u5929');
  return facts.longest_word > kLongWord && facts.script != east_asian;
}

}  // namespace heed::data
