#include "inspect/wrap.h"

#include <sstream>

#include "base/shorten.h"

namespace heed::inspect {

std::string wrapped(std::string_view text, std::size_t indent) {
  std::istringstream words{std::string(text)};
  std::string out;
  std::size_t column = 0;
  for (std::string word; words >> word;) {
    const auto width = width_of(word);
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
  const auto shown = shortened(std::string(text), width);
  return shown + std::string(width - width_of(shown), ' ');
}

}  // namespace heed::inspect
