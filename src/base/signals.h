#pragma once

#include <filesystem>
#include <string>

namespace heed {

/// While it lives, the first SIGINT or SIGTERM is only noted, so that a step can end and be saved;
/// a second one ends the process at once with 128 + its number. One at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  static int caught();  // the signal's number; 0 where none came since the last watch began
};

/// While it lives, SIGINT and SIGTERM remove `file` and end the process with 128 + their number. A
/// few at a time, from one thread, and none beside a SignalWatch.
class RemovedOnSignal {
 public:
  explicit RemovedOnSignal(const std::filesystem::path& file);
  ~RemovedOnSignal();
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;

 private:
  std::string file_;
};

/// A write past the limit on file sizes (ulimit -f) fails like one to a full disk, instead of
/// ending the process. Call once, in main.
void report_file_size_limit();

}  // namespace heed
