#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace heed::cli {

/// The status line of a work on lines: how many are done, how fast, and how long it takes yet where
/// their number is known. Goes when it dies.
class LineProgress {
 public:
  /// what: "translated"; total: 0 where it is not known.
  LineProgress(std::string what, int64_t total);
  ~LineProgress();
  LineProgress(const LineProgress&) = delete;
  LineProgress& operator=(const LineProgress&) = delete;

  /// From any thread.
  void add(int64_t lines);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  int64_t total_;
  std::mutex mutex_;
  int64_t done_ = 0;
  Clock::time_point began_ = Clock::now();
  Clock::time_point drawn_{};
};

/// Whether a status line would stand between lines that a person types or reads.
bool at_a_prompt(const std::string& input, const std::string& output);

/// The lines of a plain file, counted only where somebody is there to see it; else 0.
int64_t lines_to_come(const std::string& input);

}  // namespace heed::cli
