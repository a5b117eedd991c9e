#pragma once

#include "base/torch.h"

namespace heed::nn {

/// What names the random numbers of one training step. Dropout is a pure function of (seed, step,
/// example, site, element), so splitting a batch, accumulating, recomputing or the number of
/// threads changes no number. Without it (null) nothing is dropped.
struct Noise {
  uint64_t seed = 0;
  int64_t step = 0;
  torch::Tensor examples;  // int64 [B], on the CPU
};

}  // namespace heed::nn
