#include "base/log.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include <spdlog/fmt/fmt.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/dist_sink.h>

#include "base/error.h"
#include "base/one_line.h"
#include "base/utf8.h"

namespace heed::log {
namespace {

void write_stderr(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(STDERR_FILENO, bytes.data(), bytes.size());
    if (written <= 0) return;  // nobody can be told
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string cut_to_terminal(const std::string& line) {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  auto text = code_points(line);
  text.resize(std::min<std::size_t>(text.size(), known ? size.ws_col : 80));
  return to_utf8(text);
}

constexpr auto kClearLine = "\r\x1b[2K";

/// stderr with the status line below. A line and what surrounds it leave in one write.
class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void set_status(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (!on_terminal() || (line.empty() && status_.empty())) return;
    status_ = line;
    write_stderr(kClearLine + cut_to_terminal(status_));
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string line =
        fmt::format("{}\n", fmt::string_view(message.payload.data(), message.payload.size()));
    if (status_.empty()) {
      write_stderr(line);
    } else {
      write_stderr(kClearLine + line + cut_to_terminal(status_));
    }
  }

  void flush_() override {}

  std::string status_;
};

/// Where lines go. Sinks come and go while other threads log, which only a dist_sink allows.
struct Outputs {
  std::shared_ptr<StderrSink> standard_error = std::make_shared<StderrSink>();
  std::shared_ptr<spdlog::sinks::dist_sink_mt> all =
      std::make_shared<spdlog::sinks::dist_sink_mt>();
  spdlog::logger logger{"heed", all};
  std::map<const AlsoToFile*, spdlog::sink_ptr> files{};
  std::mutex mutex{};

  Outputs() { logger.flush_on(spdlog::level::info); }
};

Outputs& outputs() {
  static Outputs instance;
  return instance;
}

}  // namespace

void to_stderr() {
  outputs().all->remove_sink(outputs().standard_error);
  outputs().all->add_sink(outputs().standard_error);
}

AlsoToFile::AlsoToFile(const std::filesystem::path& file) {
  auto& to = outputs();
  try {
    const auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
    sink->set_pattern("%Y-%m-%d %H:%M:%S %v");
    const std::lock_guard lock(to.mutex);
    to.files[this] = sink;
    to.all->add_sink(sink);
  } catch (const spdlog::spdlog_ex& error) {
    throw Error(fmt::format("{}: cannot be written to: {}", file.string(), error.what()));
  }
}

AlsoToFile::~AlsoToFile() {
  auto& to = outputs();
  const std::lock_guard lock(to.mutex);
  to.all->remove_sink(to.files.at(this));
  to.files.erase(this);
}

void info(const std::string& line) { outputs().logger.info(on_one_line(line)); }

void warning(const std::string& line) { outputs().logger.warn("warning: " + on_one_line(line)); }

void error(const std::string& line) { outputs().logger.error("error: " + on_one_line(line)); }

bool on_terminal() { return ::isatty(STDERR_FILENO) == 1; }

void status(const std::string& line) { outputs().standard_error->set_status(line); }

}  // namespace heed::log
