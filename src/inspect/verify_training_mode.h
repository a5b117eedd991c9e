#pragma once

#include "base/torch.h"

namespace heed::inspect {

/// A module in training mode while this lives, then in eval mode again, without gradients.
class TrainingMode {
 public:
  explicit TrainingMode(torch::nn::Module& module) : module_(module) { module_.train(); }
  ~TrainingMode() {
    module_.zero_grad(/*set_to_none=*/true);
    module_.eval();
  }
  TrainingMode(const TrainingMode&) = delete;
  TrainingMode& operator=(const TrainingMode&) = delete;

 private:
  torch::nn::Module& module_;
};

}  // namespace heed::inspect
