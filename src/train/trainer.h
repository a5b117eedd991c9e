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
#include "train/report.h"
#include "train/updater.h"
#include "train/weight_average.h"

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

  /// Keeps a checkpoint; called at most once between two updates. Where it throws
  /// std::filesystem::filesystem_error the training goes on to the next one, but for the last.
  std::function<void(const checkpoint::Checkpoint&)> save{};

  /// The last good checkpoint, whose weights are in the module again; none where there is none.
  std::function<std::optional<checkpoint::Checkpoint>()> roll_back{};

  /// Tells a person and the records what went on.
  std::function<void(const std::string&)> note{};

  /// Names the last good checkpoint in error texts.
  std::function<std::string()> last_checkpoint{};
};

/// What a resumed training does not take over.
struct Reset {
  bool optimizer = false;
  bool schedule = false;  // the rate begins anew, with its warm-up
  bool data = false;      // the first epoch again
};

/// Trains a model: updates, evaluations and checkpoints in their turn, until a limit is reached.
class Trainer {
 public:
  /// `objective` and `source` outlive it; the module is on `device`.
  Trainer(Objective& objective, BatchSource& source, const config::Run& config,
          torch::Device device, Hooks hooks);

  /// Goes on from a checkpoint, whose weights are in the module already. `where` begins the text of
  /// the CheckpointError thrown where its optimizer state does not fit.
  void resume(const checkpoint::Checkpoint& checkpoint, const std::string& where,
              const Reset& reset = {});

  /// Which vocabulary the weights belong to, and which data they are trained on; saved with them.
  void set_vocabulary(std::string fingerprint) { progress_.vocabulary = std::move(fingerprint); }
  void set_data(std::string fingerprint) { progress_.data = std::move(fingerprint); }

  /// Until max_steps, max_epochs, max_seconds or patience. The first SIGINT or SIGTERM under a
  /// SignalWatch ends it after the step, saved: throws Stopped. Throws DivergenceError as step()
  /// does, but under train.on_divergence "rollback" only after five of them without a checkpoint in
  /// between.
  void run();

  /// One update at the schedule's rate: see Updater.
  StepReport step(const std::vector<data::Batch>& micro_batches);

  const checkpoint::Progress& progress() const { return progress_; }

 private:
  bool advance();
  bool roll_back(const std::string& fault);
  void take_step();
  void count_seconds();
  void evaluate();
  void lower_rate(bool better);
  void save(bool last);
  void forget_best();
  void note(const std::string& message) const;
  double share_done() const;
  bool done() const;
  bool evaluation_due() const;
  bool save_due() const;
  bool unsaved() const;
  std::string last_checkpoint() const;

  Objective& objective_;
  BatchSource& source_;
  config::Run config_;
  Hooks hooks_;
  checkpoint::Progress progress_;
  Updater updater_;
  WeightAverage average_;
  int64_t saved_step_ = 0;
  int64_t rollbacks_ = 0;  // since the last checkpoint
  struct {
    int64_t step = 0;
    double score = 0.0;
  } best_before_{};              // the last evaluation
  double seconds_before_ = 0.0;  // of earlier processes
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace heed::train
