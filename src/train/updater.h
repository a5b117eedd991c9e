#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/progress.h"
#include "config/run.h"
#include "data/batch.h"
#include "train/loss_scale.h"
#include "train/objective.h"
#include "train/optimizer.h"
#include "train/report.h"

namespace heed::train {

/// One update of a model from a batch: loss, gradients, clipping, optimizer.
class Updater {
 public:
  /// `objective` and `progress` outlive it; the module is on `device`.
  Updater(Objective& objective, checkpoint::Progress& progress, const config::Run& config,
          torch::Device device);

  /// Every micro-batch (on the CPU) contributes its summed loss divided by the predictions of the
  /// whole step, so splitting a batch never changes the gradient, however unevenly the padding
  /// falls. A step without predictions leaves the weights as they are. Waits for the device once.
  ///
  /// A gradient that is not finite never reaches the weights: under fp16 the report says `skipped`,
  /// otherwise DivergenceError names step, first operation, parameter and lines. Memory that runs
  /// out is an Error with the batch's shape, or, under train.on_oom "split", the step again in
  /// twice as many parts. last: names the last good checkpoint in these texts.
  ///
  /// Phases of the report but the data's are filled.
  StepReport step(std::vector<data::Batch> micro_batches, double lr, const std::string& last);

  Optimizer& optimizer() { return *optimizer_; }

 private:
  struct Sums;

  Sums gradients_in_memory(std::vector<data::Batch>& micro_batches, int64_t predictions,
                           const std::string& last);
  Sums gradients_of(const std::vector<data::Batch>& micro_batches, int64_t predictions);
  void add_gradients(const data::Batch& batch, int64_t predictions, Sums& sums);
  [[noreturn]] void throw_diverged(const std::vector<data::Batch>& micro_batches,
                                   int64_t predictions, double loss, const std::string& last);

  Objective& objective_;
  checkpoint::Progress& progress_;
  config::Run config_;
  torch::Device device_;
  std::optional<torch::ScalarType> precision_;
  LossScale scale_;
  std::unique_ptr<Optimizer> optimizer_;
  Phases phases_;  // of the step that is on
};

}  // namespace heed::train
