#pragma once

#include <cstdint>
#include <string>

#include "config/range.h"

namespace heed::checkpoint {

/// state.json: all that the next step depends on but tensors and the config. Dropout and data order
/// are pure functions of (seed, step) and (seed, epoch), so there are no generators to keep.
struct Progress {
  int64_t step = 0;
  int64_t epoch = 0;        // of the next batch
  int64_t batch = 0;        // of the epoch, the next one
  double seconds = 0.0;     // trained so far
  double best_score = 0.0;  // meaningful where best_step > 0
  int64_t best_step = 0;
  int64_t bad_evaluations = 0;  // since the best one
  int64_t skipped = 0;          // updates left out under loss scaling
  double loss_scale = 0.0;      // under fp16; 0: the first one
  int64_t scaled_steps = 0;     // updates since it changed
  double lr_scale = 1.0;        // of the plateau schedule, and of rollbacks
  int64_t lr_evaluations = 0;   // since the best one or the last step down of the rate
  int64_t evaluated_step = 0;   // of the last evaluation
  double score = 0.0;           // its score, meaningful where evaluated_step > 0
  int64_t schedule_start = 0;   // step from which the rate's schedule counts
  std::string vocabulary{};     // fingerprints of the tokenizers the weights belong to
  std::string data{};           // fingerprint of the training files

  bool operator==(const Progress&) const = default;

  static void fields(auto& self, auto&& visit) {
    const auto count = config::at_least(0);
    visit("step", self.step, count);
    visit("epoch", self.epoch, count);
    visit("batch", self.batch, count);
    visit("seconds", self.seconds, count);
    visit("best_score", self.best_score);
    visit("best_step", self.best_step, count);
    visit("bad_evaluations", self.bad_evaluations, count);
    visit("skipped", self.skipped, count);
    visit("loss_scale", self.loss_scale, count);
    visit("scaled_steps", self.scaled_steps, count);
    visit("lr_scale", self.lr_scale, count);
    visit("lr_evaluations", self.lr_evaluations, count);
    visit("evaluated_step", self.evaluated_step, count);
    visit("score", self.score);
    visit("schedule_start", self.schedule_start, count);
    visit("vocabulary", self.vocabulary);
    visit("data", self.data);
  }
};

}  // namespace heed::checkpoint
