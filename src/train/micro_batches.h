#pragma once

#include <cstdint>
#include <vector>

#include "data/batch.h"

namespace heed::train {

/// A batch in at most `parts` batches of neighboring rows, as even as rows allow, each no longer
/// than its longest row.
std::vector<data::Batch> split(const data::Batch& batch, int64_t parts);

}  // namespace heed::train
