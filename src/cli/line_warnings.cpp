#include "cli/line_warnings.h"

#include <spdlog/fmt/fmt.h>

#include "base/log.h"

namespace heed::cli {

void LineWarnings::report(const std::string& file, int64_t max_len, int64_t replaced) const {
  if (truncated_ > 0) {
    log::warning(fmt::format("{}: {} {} cut to {} tokens (data.max_len)", input_name(file),
                             truncated_, truncated_ == 1 ? "line was" : "lines were", max_len));
  }
  if (replaced > 0) {
    log::warning(fmt::format("{}: {} ill-formed UTF-8 {} replaced by U+FFFD", input_name(file),
                             replaced, replaced == 1 ? "part was" : "parts were"));
  }
}

std::string input_name(const std::string& file) { return file == "-" ? "standard input" : file; }

}  // namespace heed::cli
