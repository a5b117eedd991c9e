#include "data/line_facts.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/utf8.h"
#include "text/characters.h"

namespace heed::data {
namespace {

constexpr int64_t kFewCharacters = 4;
constexpr int64_t kLongWord = 40;
constexpr char32_t kReplacement = 0xFFFD;

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

/// Whether a script puts no space between words: Han and its like, Thai, Lao, Khmer, Burmese.
bool unspaced(text::Script script) {
  static const std::array kScripts = {text::script_of(U'\u5929'), text::script_of(U'\u0E01'),
                                      text::script_of(U'\u0E81'), text::script_of(U'\u1780'),
                                      text::script_of(U'\u1000')};
  return std::ranges::find(kScripts, script) != kScripts.end();
}

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
  return facts.longest_word > kLongWord && !unspaced(facts.script);
}

}  // namespace heed::data
