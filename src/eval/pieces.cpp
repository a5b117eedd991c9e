#include "eval/pieces.h"

#include <spdlog/fmt/fmt.h>

namespace heed::eval {

std::string warn_of_pieces(const std::vector<std::string>& lines, const std::string& name) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string piece : {"▁", " ##"}) {
      if (lines[i].find(piece) == std::string::npos) continue;
      return fmt::format(
          "{}:{}: holds '{}': these look like subword pieces, not text; score "
          "detokenized text",
          name, i + 1, piece);
    }
  }
  return "";
}

}  // namespace heed::eval
