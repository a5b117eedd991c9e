#include "data/lengths.h"

namespace heed::data {

Lengths LengthCounts::summary() const {
  if (counts_.empty()) return {};
  int64_t number = 0, total = 0;
  for (const auto& [length, count] : counts_) {
    number += count;
    total += length * count;
  }
  const auto percentile = [&](int64_t percent) {
    const auto rank = (number * percent + 99) / 100;  // from 1
    int64_t seen = 0;
    for (const auto& [length, count] : counts_) {
      seen += count;
      if (seen >= rank) return length;
    }
    return counts_.rbegin()->first;
  };
  return {.min = counts_.begin()->first,
          .mean = static_cast<double>(total) / static_cast<double>(number),
          .median = percentile(50),
          .p95 = percentile(95),
          .p99 = percentile(99),
          .max = counts_.rbegin()->first};
}

}  // namespace heed::data
