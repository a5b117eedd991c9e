#include "pipeline/overlong.h"

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "text/lines.h"

namespace heed::pipeline {

std::vector<EncodedLine> encode_lines(const text::Tokenizer& tokenizer,
                                      const std::vector<std::string>& lines, const LengthRule& rule,
                                      const Origin& origin) {
  std::vector<EncodedLine> encoded(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (text::blank(lines[i])) continue;
    auto& [ids, tokens] = encoded[i];
    ids = tokenizer.encode(lines[i]);
    tokens = std::ssize(ids);
    if (tokens <= rule.max_len) continue;
    if (rule.overlong == "error") {
      throw DataError(fmt::format(
          "{}:{}: {} tokens, at most {} (data.max_len); shorten the line, or set decode.overlong "
          "to truncate",
          origin.file, origin.first_line + static_cast<int64_t>(i), tokens, rule.max_len));
    }
    ids.resize(rule.max_len);
  }
  return encoded;
}

}  // namespace heed::pipeline
