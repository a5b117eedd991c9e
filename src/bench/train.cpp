#include "bench/train.h"

#include <algorithm>
#include <vector>

#include "bench/median.h"
#include "bench/memory.h"
#include "bench/work.h"
#include "train/micro_batches.h"

namespace heed::bench {
namespace {

/// The batches of one epoch after the other.
class Endless {
 public:
  explicit Endless(train::BatchSource& source) : source_(source) {}

  data::Batch next() {
    if (index_ >= source_.batches(epoch_)) {
      ++epoch_;
      index_ = 0;
    }
    return source_.batch(epoch_, index_++);
  }

 private:
  train::BatchSource& source_;
  int64_t epoch_ = 0;
  int64_t index_ = 0;
};

}  // namespace

TrainReport bench_train(train::Objective& objective, train::BatchSource& source,
                        const config::Run& config, int64_t projection, torch::Device device,
                        const TrainOptions& options) {
  train::Trainer trainer(objective, source, config, device, {});
  objective.module().train();
  Endless batches(source);

  TrainReport report;
  std::vector<double> rates, latencies;
  for (int64_t i = 0; i < options.warm_up + options.steps; ++i) {
    train::Stopwatch waiting;
    const auto micro_batches = train::split(batches.next(), config.train.accumulate);
    const double data_seconds = waiting.lap();
    const auto step = trainer.step(micro_batches);
    auto phases = step.phases;
    phases.data = data_seconds;
    if (i < options.warm_up) continue;

    rates.push_back(static_cast<double>(step.tokens) / phases.total());
    latencies.push_back(phases.total());
    report.phases += phases;
    report.padding += step.padding / static_cast<double>(options.steps);
    report.loss = step.loss;
  }
  report.tokens_per_second = median(rates);
  report.slowest = *std::ranges::min_element(rates);
  report.fastest = *std::ranges::max_element(rates);
  report.latency_ms = 1000 * median(latencies);
  report.peak_memory_mb = peak_memory_mb();
  report.gflops =
      6e-9 * static_cast<double>(multiplied_weights(config, projection)) * report.tokens_per_second;
  report.seconds = report.phases.total();
  return report;
}

}  // namespace heed::bench
