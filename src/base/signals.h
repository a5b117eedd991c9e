#pragma once

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

/// A write past the limit on file sizes (ulimit -f) fails like one to a full disk, instead of
/// ending the process. Call once, in main.
void report_file_size_limit();

}  // namespace heed
