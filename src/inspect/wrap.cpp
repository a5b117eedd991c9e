#include "inspect/wrap.h"

#include <sstream>

#include "base/utf8.h"

namespace heed::inspect {

std::string wrapped(std::string_view text, std::size_t indent) {
  std::istringstream words{std::string(text)};
  std::string out;
  std::size_t column = 0;
  for (std::string word; words >> word;) {
    const auto width = code_points(word).size();
    if (column > 0 && column + 1 + width <= kColumns) {
      out += ' ' + word;
      column += 1 + width;
      continue;
    }
    if (column > 0) out += '\n';
    out += std::string(indent, ' ') + word;
    column = indent + width;
  }
  return column > 0 ? out + '\n' : out;
}

std::string fitted(std::string_view text, std::size_t width) {
  auto points = code_points(text);
  if (points.size() > width) {
    points.resize(width - 1);
    return to_utf8(points) + "…";
  }
  return std::string(text) + std::string(width - points.size(), ' ');
}

}  // namespace heed::inspect
