#include "base/shorten.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"

namespace heed {
namespace {

constexpr std::u32string_view kEllipsis = U"…";

/// `begin` characters, an ellipsis and `end` characters.
std::string without_middle(const std::u32string& text, std::size_t begin, std::size_t end) {
  auto out = text.substr(0, begin);
  out += kEllipsis;
  return to_utf8(out + text.substr(text.size() - end));
}

}  // namespace

std::string shortened(const std::string& text, std::size_t width) {
  const auto characters = code_points(text);
  return characters.size() <= width ? text : without_middle(characters, width - 1, 0);
}

std::string shortened_in_middle(const std::string& text, std::size_t width) {
  const auto characters = code_points(text);
  if (characters.size() <= width) return text;
  const auto end = (std::max<std::size_t>(width, 1) - 1) / 2;
  return without_middle(characters, std::max<std::size_t>(width, 1) - 1 - end, end);
}

std::size_t width_of(const std::string& text) { return code_points(text).size(); }

}  // namespace heed
