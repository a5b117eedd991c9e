#pragma once

#include <string>

/// The rules that sacreBLEU's tokenizers share, on code points.
namespace heed::eval {

/// s/(single)/ \1 /g
template <typename Single>
std::u32string space_around(const std::u32string& text, Single single) {
  std::u32string out;
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
std::u32string space_in_pair(const std::u32string& text, First first, Second second, Mark mark) {
  std::u32string out;
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

/// s/from/to/g
void replace_all(std::u32string& text, const std::u32string& from, const std::u32string& to);

/// &quot; &amp; &lt; &gt; as what they stand for, in this order.
void replace_entities(std::u32string& text);

/// Spaces around ASCII punctuation but ' - . and ,
std::u32string space_marks(const std::u32string& text);

/// Spaces around . and , but between digits, and around a dash after a digit.
std::u32string space_points(const std::u32string& text);

}  // namespace heed::eval
