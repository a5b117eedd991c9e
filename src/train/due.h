#pragma once

#include <cstdint>

namespace heed::train {

/// Whether what happens every so many steps happens at `step`; 0: never.
inline bool due(int64_t step, int64_t every) { return every > 0 && step % every == 0; }

}  // namespace heed::train
