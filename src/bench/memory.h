#pragma once

#include "base/torch.h"

namespace heed::bench {

/// The most memory this process has held so far, in MiB (resident, of the host).
double peak_memory_mb();

/// What is held now, in MiB: of the CPU by this process, of another device what LibTorch's
/// allocator has handed out there; NaN where that one doesn't count.
double held_memory_mb(torch::Device device);

/// Forgets the peak so far, for peak_since_reset_mb. Where the system refuses, the peak stays that
/// of the whole process.
void reset_peak_memory(torch::Device device);
double peak_since_reset_mb(torch::Device device);

}  // namespace heed::bench
