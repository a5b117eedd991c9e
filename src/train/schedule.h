#pragma once

#include <cstdint>

#include "config/train.h"

namespace heed::train {

/// How much of a run lies behind, by whichever of max_steps, max_epochs and max_seconds ends first;
/// 0 where none of them is set.
double share_done(const config::Train& limits, double steps, double epochs, double seconds);

/// The learning rate of update `step`, from 1, a pure function of the step and of `share`, which is
/// share_done without the steps. With w = warmup_steps, n the step and N = max_steps:
///
///   noam          lr * d_model^-0.5 * min(n^-0.5, n * w^-1.5) (Vaswani et al., 2017, 5.3)
///   inverse_sqrt  lr * min(n / w, sqrt(w / n))
///   constant      lr * min(n / w, 1); so is plateau, whose steps down the trainer knows
///   linear        lr * min(n / w, 1 - p), p = (n - w) / (N + 1 - w) the share after the warm-up
///   cosine        lr * min(n / w, (1 + cos(pi p)) / 2) (Loshchilov & Hutter, 2017)
///
/// decay_steps then bends the last N updates down in a line: the first of them is untouched, the
/// last is 1 / N of what it would be. A share of the run is one of max_steps, max_seconds or
/// max_epochs, whichever ends first; where steps don't end it, p is the share of all of it.
double learning_rate(const config::Train& config, int64_t d_model, int64_t step,
                     double share = 0.0);

}  // namespace heed::train
