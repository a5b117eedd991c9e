#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checkpoint/directory.h"
#include "checkpoint/event_file.h"
#include "checkpoint/metrics.h"
#include "checkpoint/progress.h"
#include "config/fields.h"
#include "config/run.h"
#include "inspect/attention_health.h"
#include "train/report.h"

namespace heed::cli {

/// What a person and metrics.jsonl learn of a training, from the same numbers.
class TrainingLog {
 public:
  /// step: where the training goes on; 0 at its start.
  TrainingLog(const std::filesystem::path& run, const config::Run& config, int64_t step);
  ~TrainingLog();

  void note(const std::string& message);  // in both
  void step(const train::StepReport& report);

  /// The records after `step` are dropped: the training goes on from there.
  void rolled_back(int64_t step);

  /// How the heads attend after `step`; what looks wrong for a second time is said, once.
  void watched(int64_t step, const std::vector<inspect::HeadHealth>& heads);

  /// The scores of an evaluation, whose line waits for saved().
  void evaluated(int64_t step, const config::Json& scores);
  void saved(const checkpoint::Checkpoint& checkpoint);

 private:
  void log_step(const train::StepReport& report);
  void log_tensors(const train::StepReport& report);
  void draw_bar(const train::StepReport& report);
  double share(const train::StepReport& report) const;
  std::string place(int64_t step) const;

  config::Run config_;
  std::filesystem::path file_;
  std::optional<checkpoint::MetricsWriter> metrics_;
  std::optional<checkpoint::EventFile> events_;  // where the config wants it
  std::filesystem::path hashes_file_;
  std::optional<checkpoint::MetricsWriter> hashes_;  // weights.jsonl
  std::string pending_;                              // of an evaluation, without what was saved
  int64_t tokens_ = 0;                               // since the last line
  double seconds_ = 0.0;                             // in updates, since the last line
  train::Phases phases_;                             // likewise
  std::set<std::string> suspected_;                  // what looked wrong at the last look
  std::set<std::string> warned_;                     // what has been said of heads
  double rate_ = 0.0;                                // tokens a second, of the last updates
  std::optional<double> first_share_;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace heed::cli
