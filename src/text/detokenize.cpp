#include "text/detokenize.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "base/utf8.h"
#include "text/characters.h"

namespace heed::text {
namespace {

constexpr std::u32string_view kCloses = U".,;:!?)]}%°…\u203A†′″™®©²³";
constexpr std::u32string_view kOpens = U"([{#$£¥¿¡\u2039";
constexpr std::u32string_view kInsideBoth = U"/_";  // no space on either side
constexpr std::u32string_view kHyphens = U"-\u2010\u2011";

/// A pair of quotation marks: the one that comes first opens.
struct Quotes {
  std::u32string_view opening, closing;
};
constexpr std::array<Quotes, 4> kQuotes = {{
    {U"\"\u201C\u201E", U"\"\u201D\u201C"},
    {U"\u00AB\u00BB", U"\u00BB\u00AB"},
    {U"'\u2018\u201A", U"'\u2019\u2018"},
    {U"`", U"`"},
}};

bool contains(std::u32string_view set, char32_t c) { return set.find(c) != set.npos; }

/// Punctuation of the scripts that put no spaces between words.
bool wide(char32_t c) {
  return (c >= 0x3001 && c <= 0x3003) || (c >= 0x3008 && c <= 0x301F) || c == 0x30FB ||
         (c >= 0xFF01 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) ||
         (c >= 0xFF3B && c <= 0xFF40) || (c >= 0xFF5B && c <= 0xFF65);
}

bool digit(char32_t c) { return c >= U'0' && c <= U'9'; }

/// "Vor- und Nachteile", "two- or three-year-old": the hyphen stands for the part that follows.
bool joins_halves(const std::string& word) {
  constexpr std::array<std::string_view, 8> kWords = {"und", "oder", "bzw", "and",
                                                      "or",  "bis",  "to",  "sowie"};
  return std::ranges::find(kWords, word) != kWords.end();
}

/// What stands left and right of a piece, and which quotes are open.
class Line {
 public:
  explicit Line(const std::vector<std::string>& pieces) : pieces_(pieces) {
    for (const auto& piece : pieces) characters_.push_back(code_points(piece));
  }

  std::string joined() {
    std::string line;
    bool attached = true;  // to what stands before
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const auto [left, right] = attachment(i);
      if (!attached && !left) line += ' ';
      line += pieces_[i];
      attached = right;
    }
    return line;
  }

 private:
  struct Attached {
    bool left = false, right = false;
  };

  char32_t first(std::size_t i) const {
    return i < characters_.size() && !characters_[i].empty() ? characters_[i].front() : U' ';
  }
  char32_t last(std::size_t i) const {
    return characters_[i].empty() ? U' ' : characters_[i].back();
  }
  char32_t before(std::size_t i) const { return i == 0 ? U' ' : last(i - 1); }

  /// Whether the piece is a word with a full stop in it, as behind the @ of a mail address.
  bool domain(std::size_t i) const {
    if (i >= characters_.size() || !is_word(first(i)) || digit(first(i))) return false;
    return characters_[i].find(U'.') != std::u32string::npos;
  }

  Attached attachment(std::size_t i) {
    if (characters_[i].size() != 1) return {};
    const char32_t mark = characters_[i][0];
    if (!is_punctuation(mark)) return {};
    for (std::size_t kind = 0; kind < kQuotes.size(); ++kind) {
      if (contains(kQuotes[kind].opening, mark) || contains(kQuotes[kind].closing, mark)) {
        return quote(i, mark, kind);
      }
    }
    if (wide(mark)) return {true, true};
    if (contains(kInsideBoth, mark)) return {true, true};
    if (contains(kHyphens, mark)) return hyphen(i);
    if (contains(U"\u2013:", mark) && digit(before(i)) && digit(first(i + 1))) return {true, true};
    if (mark == U'@' && is_word(before(i)) && domain(i + 1)) return {true, true};
    if (contains(kCloses, mark)) return {true, false};
    if (contains(kOpens, mark)) return {false, true};
    return {i > 0 && characters_[i - 1] == characters_[i], false};
  }

  Attached quote(std::size_t i, char32_t mark, std::size_t kind) {
    auto& open = open_[kind];
    if (open == 0) {
      // A lone apostrophe behind an s is a genitive: the dogs' tails.
      const bool genitive = contains(U"'\u2019", mark) && contains(U"sSxz", before(i));
      const bool inches = mark == U'"' && digit(before(i));  // 5" wide
      if (genitive || inches || !contains(kQuotes[kind].opening, mark)) return {true, false};
      open = mark;
      return {false, true};
    }
    if (contains(kQuotes[kind].closing, mark)) {
      open = 0;
      return {true, false};
    }
    return {false, true};
  }

  Attached hyphen(std::size_t i) const {
    if (i > 0 && characters_[i - 1] == characters_[i]) return {true, false};
    const bool half = is_word(before(i)) && !digit(before(i));
    if (i + 1 < pieces_.size() && half && joins_halves(pieces_[i + 1])) {
      return {true, false};
    }
    const bool sign = digit(first(i + 1)) && !digit(before(i)) && before(i) != U')';
    return {false, sign};
  }

  const std::vector<std::string>& pieces_;
  std::vector<std::u32string> characters_;
  std::array<char32_t, kQuotes.size()> open_{};  // the mark that opened; 0: none is open
};

}  // namespace

std::string detokenize(const std::vector<std::string>& pieces) { return Line(pieces).joined(); }

}  // namespace heed::text
