#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "train/phases.h"
#include "train/tensor_watch.h"

namespace heed::train {

/// What one update was like.
struct StepReport {
  int64_t step = 0;
  int64_t epoch = 0;                    // from 1
  double loss = 0.0;                    // per prediction of the whole step
  double nll = 0.0;                     // per prediction, without smoothing
  double accuracy = 0.0;                // share of predictions that are right
  double lr = 0.0;                      // used for this update
  double grad_norm = 0.0;               // before clipping
  int64_t tokens = 0;                   // real target tokens; of a classifier, real input tokens
  double padding = 0.0;                 // share of ids that are padding
  double seconds = 0.0;                 // trained so far
  double step_seconds = 0.0;            // of this update, its data included
  double epoch_share = 0.0;             // of the epoch that is done, in (0, 1]
  bool skipped = false;                 // an overflow under fp16: no weight was changed
  Phases phases{};                      // of this update
  std::vector<TensorReport> tensors{};  // every log.watch_every steps

  double ppl() const { return std::exp(nll); }
};

}  // namespace heed::train
