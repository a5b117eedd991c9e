#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "base/torch.h"
#include "train/objective.h"

namespace heed::bench {

/// Seconds of one training step. On a device that works apart these are the host's, which waits
/// only in `update`.
struct Phases {
  double data = 0.0;
  double forward = 0.0;
  double backward = 0.0;
  double update = 0.0;  // norm, clipping and optimizer

  double total() const { return data + forward + backward + update; }
};

/// An objective that notes when its forward pass begins and ends, and when the last gradient of its
/// parameters comes in, so that a step of the trainer's own code can be timed by phase.
class TimedObjective final : public train::Objective {
 public:
  /// `inner` outlives it.
  explicit TimedObjective(train::Objective& inner);
  ~TimedObjective() override;

  torch::nn::Module& module() override { return inner_.module(); }
  int64_t predictions(const data::Batch& batch) const override { return inner_.predictions(batch); }
  int64_t tokens(const data::Batch& batch) const override { return inner_.tokens(batch); }
  train::LossSums forward(const data::Batch& batch, const nn::Noise* noise) override;

  void begin_step();
  void batch_is_there();
  Phases end_step();  // since begin_step()

 private:
  using Clock = std::chrono::steady_clock;

  train::Objective& inner_;
  std::vector<std::pair<torch::Tensor, unsigned>> hooks_;  // parameter, number of its hook
  Clock::time_point last_;                                 // what came before is accounted for
  Clock::time_point gradient_;
  Phases phases_;
};

}  // namespace heed::bench
