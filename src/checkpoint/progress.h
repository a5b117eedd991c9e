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
  int64_t evaluated_step = 0;   // of the last evaluation
  double score = 0.0;           // its score, meaningful where evaluated_step > 0
  std::string vocabulary{};     // fingerprints of the tokenizers the weights belong to

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
    visit("evaluated_step", self.evaluated_step, count);
    visit("score", self.score);
    visit("vocabulary", self.vocabulary);
  }
};

}  // namespace heed::checkpoint
