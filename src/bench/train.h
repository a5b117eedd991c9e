#pragma once

#include <cstdint>

#include "base/torch.h"
#include "config/run.h"
#include "train/objective.h"
#include "train/trainer.h"

namespace heed::bench {

struct TrainOptions {
  int64_t warm_up = 4;  // steps before the clock runs
  int64_t steps = 12;   // timed ones
};

/// Tokens are real target tokens; of a classifier, real input tokens.
struct TrainReport {
  double tokens_per_second = 0.0;  // median of the steps
  double slowest = 0.0;            // tokens a second of the slowest step, and of the fastest
  double fastest = 0.0;
  double latency_ms = 0.0;  // median time of a step
  double peak_memory_mb = 0.0;
  double gflops = 0.0;     // 6 * multiplied_weights * tokens_per_second
  double padding = 0.0;    // share of ids, mean of the steps
  double loss = 0.0;       // of the last step
  double seconds = 0.0;    // of all timed steps
  train::Phases phases{};  // likewise
};

/// The speed of training: updates of train::Trainer, with everything a training does but logs,
/// evaluations and checkpoints. The module of `objective` is on `device` and changes. projection:
/// weights of the output projection.
TrainReport bench_train(train::Objective& objective, train::BatchSource& source,
                        const config::Run& config, int64_t projection, torch::Device device,
                        const TrainOptions& options);

}  // namespace heed::bench
