#include "cli/line_warnings.h"

#include <unistd.h>

#include <spdlog/fmt/fmt.h>

#include "base/log.h"

namespace heed::cli {

int64_t lines_at_once(const std::string& input) {
  return input == "-" && ::isatty(STDIN_FILENO) == 1 ? 1 : 4096;
}

void LineWarnings::count(const pipeline::EncodedLine& line) {
  count_truncated(line.truncated());
  split_ += line.parts > 1 ? 1 : 0;
  count_unknown(line.unknown);
}

void LineWarnings::report(const std::string& file, int64_t max_len, int64_t replaced) const {
  if (truncated_ > 0) {
    log::warning(fmt::format("{}: {} {} cut to {} tokens (data.max_len)", input_name(file),
                             truncated_, truncated_ == 1 ? "line was" : "lines were", max_len));
  }
  if (split_ > 0) {
    log::warning(fmt::format("{}: {} {} over {} tokens (data.max_len), read in parts",
                             input_name(file), split_, split_ == 1 ? "line is" : "lines are",
                             max_len));
  }
  if (at_limit_ > 0) {
    log::warning(fmt::format("{}: {} {} cut at the limit of a result (decode.max_len)",
                             input_name(file), at_limit_,
                             at_limit_ == 1 ? "answer was" : "answers were"));
  }
  if (unknown_ > 0) {
    log::warning(fmt::format("{}: {} {} the vocabulary lacks, in {} {}, read as <unk>",
                             input_name(file), unknown_, unknown_ == 1 ? "token" : "tokens",
                             with_unknown_, with_unknown_ == 1 ? "line" : "lines"));
  }
  if (replaced > 0) {
    log::warning(fmt::format("{}: {} ill-formed UTF-8 {} replaced by U+FFFD", input_name(file),
                             replaced, replaced == 1 ? "part was" : "parts were"));
  }
}

std::string input_name(const std::string& file) { return file == "-" ? "standard input" : file; }

}  // namespace heed::cli
