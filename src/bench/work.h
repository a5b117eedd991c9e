#pragma once

#include <cstdint>

#include "config/run.h"

namespace heed::bench {

/// Weights that multiply each token: the matrices of the layers, and `projection` = V * D once
/// (tied or not). Embeddings are looked up, not multiplied. A training step does about 6 floating
/// point operations for each of them and each target token.
int64_t multiplied_weights(const config::Run& config, int64_t projection);

}  // namespace heed::bench
