#pragma once

#include <filesystem>
#include <vector>

#include "checkpoint/safetensors.h"

namespace heed::checkpoint {

/// The mean of each floating point tensor, in double and rounded once, so that the average of equal
/// tensors is that tensor; others as in the last one. Throws CheckpointError where names or shapes
/// differ, std::logic_error for none.
NamedTensors average(const std::vector<NamedTensors>& models);

/// Averages the `count` newest checkpoints of a run into checkpoints/average-STEP-COUNT, whose
/// directory it returns; an older one of that name is replaced. It holds no optimizer state. Throws
/// CheckpointError where the run has fewer.
std::filesystem::path average_last(const std::filesystem::path& run, int64_t count);

}  // namespace heed::checkpoint
