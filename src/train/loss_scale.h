#pragma once

#include <cstdint>

#include "checkpoint/progress.h"

namespace heed::train {

/// Loss scaling for fp16, whose gradients would underflow (Micikevicius et al., 2018, section 3.2),
/// https://arxiv.org/abs/1710.03740, with the dynamic rule of PyTorch's GradScaler: after an
/// overflow the scale is halved and the update left out, after 2,000 updates without one it is
/// doubled. Its state is part of the progress, so that a checkpoint holds it.
class LossScale {
 public:
  static constexpr double kFirst = 65536.0;
  static constexpr int64_t kGrowAfter = 2000;

  /// `progress` outlives it. active: fp16; otherwise the scale is 1 and stays.
  LossScale(checkpoint::Progress& progress, bool active) : progress_(progress), active_(active) {}

  bool active() const { return active_; }
  double value() const;

  void grow();    // after an update
  void shrink();  // after an overflow; counts it as skipped

  /// Whether halving once more would leave nothing to scale by.
  bool exhausted() const { return active_ && value() <= 1.0; }

 private:
  checkpoint::Progress& progress_;
  bool active_;
};

}  // namespace heed::train
