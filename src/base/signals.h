#pragma once

namespace heed {

/// While it lives, the first SIGINT or SIGTERM is only noted, so that a step can end and be saved;
/// a second one ends the process at once.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  static int caught();  // the signal's number; 0 where none came
};

}  // namespace heed
