#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/directory.h"
#include "config/run.h"
#include "data/batch.h"
#include "train/objective.h"
#include "train/optimizer.h"
#include "train/report.h"

namespace heed::train {

/// The batches of each epoch, a pure function of (seed, epoch), so that a place in the data is two
/// numbers.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  virtual int64_t batches(int64_t epoch) = 0;  // at least 1; epoch from 0
  virtual data::Batch batch(int64_t epoch, int64_t index) = 0;
};

/// What others do for the trainer; each may be absent.
struct Hooks {
  std::function<void(const StepReport&)> step{};

  /// The score of the weights as they are, higher is better; none where a signal cut it short.
  std::function<std::optional<double>(const checkpoint::Progress&)> evaluate{};

  /// Keeps a checkpoint; called at most once between two updates.
  std::function<void(const checkpoint::Checkpoint&)> save{};

  /// Names the last good checkpoint in error texts.
  std::function<std::string()> last_checkpoint{};
};

/// Trains a model: updates, evaluations and checkpoints in their turn, until a limit is reached.
class Trainer {
 public:
  /// `objective` and `source` outlive it; the module is on `device`.
  Trainer(Objective& objective, BatchSource& source, const config::Run& config,
          torch::Device device, Hooks hooks);

  /// Goes on from a checkpoint, whose weights are in the module already. `where` begins the text of
  /// the CheckpointError thrown where its optimizer state does not fit.
  void resume(const checkpoint::Checkpoint& checkpoint, const std::string& where);

  /// Which vocabulary the weights belong to; saved with them.
  void set_vocabulary(std::string fingerprint) { progress_.vocabulary = std::move(fingerprint); }

  /// Until max_steps, max_epochs, max_seconds or patience. The first SIGINT or SIGTERM under a
  /// SignalWatch ends it after the step, saved: throws Stopped. Throws DivergenceError as step()
  /// does.
  void run();

  /// One update from the micro-batches of one step, which are on the CPU. Waits for the device
  /// once.
  ///
  /// Every micro-batch contributes its summed loss divided by the predictions of the whole step, so
  /// splitting a batch never changes the gradient, however unevenly the padding falls. A step
  /// without predictions leaves the weights as they are.
  ///
  /// A gradient that is not finite never reaches the weights: throws DivergenceError naming step,
  /// parameter and the last good checkpoint. Memory that runs out is an Error with the batch's
  /// shape.
  StepReport step(const std::vector<data::Batch>& micro_batches);

  const checkpoint::Progress& progress() const { return progress_; }

 private:
  struct Sums;

  Sums accumulate(const std::vector<data::Batch>& micro_batches, int64_t predictions);
  void take_step();
  void count_seconds();
  void evaluate();
  void save();
  double share_done() const;
  bool done() const;
  bool evaluation_due() const;
  bool save_due() const;
  bool unsaved() const;
  std::string last_checkpoint() const;
  [[noreturn]] void throw_diverged(int64_t step, double loss) const;
  [[noreturn]] void throw_out_of_memory(const data::Batch& batch) const;

  Objective& objective_;
  BatchSource& source_;
  config::Run config_;
  torch::Device device_;
  std::optional<torch::ScalarType> precision_;
  Hooks hooks_;
  Adam optimizer_;
  checkpoint::Progress progress_;
  int64_t saved_step_ = 0;
  double seconds_before_ = 0.0;  // of earlier processes
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace heed::train
