#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "decode/beam.h"

namespace heed::decode {

/// sum of log p / length^penalty
inline double normalized(double sum, int64_t length, double penalty) {
  return sum / std::pow(static_cast<double>(length), penalty);
}

inline bool never_written(const SearchOptions& options, int64_t id) {
  return std::ranges::find(options.never, id) != options.never.end();
}

/// Every score a model gave was NaN or minus infinity.
[[noreturn]] inline void throw_not_finite() {
  throw Error("the model's scores are not finite; its weights are damaged or training diverged");
}

}  // namespace heed::decode
