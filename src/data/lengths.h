#pragma once

#include <cstdint>
#include <map>

namespace heed::data {

/// Of a set of lengths. A percentile is the least length that at least that share does not exceed
/// (nearest rank); all are 0 where there is none.
struct Lengths {
  int64_t min = 0;
  double mean = 0.0;
  int64_t median = 0;
  int64_t p95 = 0;
  int64_t p99 = 0;
  int64_t max = 0;
};

/// Counts how often each length occurs; needs room for the different ones only.
class LengthCounts {
 public:
  void add(int64_t length) { ++counts_[length]; }
  Lengths summary() const;

 private:
  std::map<int64_t, int64_t> counts_;
};

}  // namespace heed::data
