#pragma once

#include <filesystem>

namespace heed::checkpoint {

/// While it lives, no other process trains in the run directory. It ends with the process, however
/// that dies, so a lock file left behind means nothing.
class RunLock {
 public:
  static std::filesystem::path file(const std::filesystem::path& run) { return run / ".lock"; }

  /// Throws CheckpointError naming the process that holds the lock.
  explicit RunLock(const std::filesystem::path& run);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace heed::checkpoint
