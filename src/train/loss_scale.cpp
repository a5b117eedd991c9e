#include "train/loss_scale.h"

namespace heed::train {

double LossScale::value() const {
  if (!active_) return 1.0;
  return progress_.loss_scale > 0.0 ? progress_.loss_scale : kFirst;
}

void LossScale::grow() {
  if (!active_ || ++progress_.scaled_steps < kGrowAfter) return;
  progress_.loss_scale = value() * 2.0;
  progress_.scaled_steps = 0;
}

void LossScale::shrink() {
  progress_.loss_scale = value() / 2.0;
  progress_.scaled_steps = 0;
  ++progress_.skipped;
}

}  // namespace heed::train
