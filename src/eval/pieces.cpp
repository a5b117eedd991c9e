#include "eval/pieces.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace heed::eval {
namespace {

constexpr int64_t kTokenizedLines = 100;  // sacreBLEU warns from here on, too

}  // namespace

std::string warn_of_pieces(const std::vector<std::string>& lines, const std::string& name) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string piece : {"▁", " ##", "@@ "}) {
      if (lines[i].find(piece) == std::string::npos) continue;
      return fmt::format(
          "{}:{}: holds '{}': these look like subword pieces, not text; score "
          "detokenized text",
          name, i + 1, piece);
    }
  }
  return "";
}

std::string warn_of_tokens(const std::vector<std::string>& lines, const std::string& name) {
  const auto count =
      std::ranges::count_if(lines, [](const std::string& line) { return line.ends_with(" ."); });
  if (count < kTokenizedLines) return "";
  return fmt::format(
      "{}: {} lines end in ' .': this looks like tokenized text; score detokenized "
      "text",
      name, count);
}

}  // namespace heed::eval
