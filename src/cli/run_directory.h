#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/lock.h"
#include "config/run.h"

namespace heed::cli {

/// What to do where a run is there already.
enum class Existing { kRefuse, kResume, kOverwrite };

/// Throws ConfigError, saying which option would be right, where the directory and the wish don't
/// fit. Changes nothing.
void check_run_directory(const std::filesystem::path& run, Existing existing);

/// A run directory that no other process trains in while this lives; made where there is none.
/// Without keep(), what was made for that goes again.
class ClaimedRun {
 public:
  /// Throws ConfigError where `run` is a file, CheckpointError naming the process that holds it.
  explicit ClaimedRun(const std::filesystem::path& run);
  ~ClaimedRun();
  ClaimedRun(const ClaimedRun&) = delete;
  ClaimedRun& operator=(const ClaimedRun&) = delete;

  void keep() { made_.clear(); }

 private:
  std::vector<std::filesystem::path> made_;  // innermost first
  std::optional<checkpoint::RunLock> lock_;
};

/// Removes what a training writes into a run, and nothing else.
void clear_run_directory(const std::filesystem::path& run);

/// The config as a path and its two values, "train.max_steps: 100 -> 200", for each that differs.
std::vector<std::string> config_changes(const config::Run& before, const config::Run& after);

/// Throws ConfigError where the weights, tokenizers or labels of `before` can't go on under
/// `after`.
void check_resumable(const config::Run& before, const config::Run& after);

}  // namespace heed::cli
