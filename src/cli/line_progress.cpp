#include "cli/line_progress.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/log.h"
#include "cli/progress_bar.h"

namespace heed::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};

}  // namespace

LineProgress::LineProgress(std::string what, int64_t total)
    : what_(std::move(what)), total_(total) {}

LineProgress::~LineProgress() { log::status(""); }

void LineProgress::add(int64_t lines) {
  const std::lock_guard lock(mutex_);
  done_ += lines;
  const auto now = Clock::now();
  if (!log::on_terminal() || now - drawn_ < kRedraw) return;
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - began_).count();
  const auto done = static_cast<double>(done_);
  const double rate = done / seconds;
  if (total_ == 0) {
    log::status(fmt::format("{} {} lines · {} lines/s", what_, done_, short_count(rate)));
    return;
  }
  const auto total = static_cast<double>(total_);
  log::status(bar_line({.share = done / total,
                        .what = fmt::format("{} {}/{}", what_, done_, total_),
                        .rate = rate,
                        .unit = "lines",
                        .seconds_left = (total - done) / rate}));
}

bool at_a_prompt(const std::string& input, const std::string& output) {
  return (input == "-" && ::isatty(STDIN_FILENO) == 1) ||
         (output == "-" && ::isatty(STDOUT_FILENO) == 1);
}

int64_t lines_to_come(const std::string& input) {
  std::error_code ignored;
  if (!log::on_terminal() || !std::filesystem::is_regular_file(input, ignored)) return 0;
  std::ifstream file(input, std::ios::binary);
  if (file.get() == 0x1f) return 0;  // gzipped
  file.unget();
  return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
}

}  // namespace heed::cli
