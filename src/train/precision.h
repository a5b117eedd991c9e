#pragma once

#include <optional>
#include <string>

#include "base/torch.h"

namespace heed::train {

/// train.precision -> the type of matrix products, none for fp32; weights are fp32 in any case.
/// "auto" is bf16 on a CUDA device that computes in it, else fp32: on a CPU without AMX fp32 is the
/// faster one.
std::optional<torch::ScalarType> pick_precision(const std::string& name, torch::Device device);

/// "fp32", "bf16" or "fp16"
std::string precision_name(std::optional<torch::ScalarType> precision);

}  // namespace heed::train
