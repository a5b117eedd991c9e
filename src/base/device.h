#pragma once

#include <string>

#include "base/torch.h"

namespace heed {

/// "cpu", "cuda", "cuda:1" or "auto" (CUDA where there is a device). Throws ConfigError for another
/// word, and where CUDA is asked for but this LibTorch or machine has none.
torch::Device pick_device(const std::string& name);

/// Keeps freed memory in the process instead of handing it back to the system and asking again at
/// every step (glibc only; elsewhere nothing). Measured: 10 to 15 % of a training step.
void keep_freed_memory();

}  // namespace heed
