#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace heed {

/// A 64-bit hash of a list of numbers: what a (seed, epoch, example, ...) draws is a pure function
/// of it. The same on every machine.
uint64_t mix(std::initializer_list<uint64_t> numbers);

/// A stream of random numbers named by `key` (SplitMix64; Steele et al., 2014). Unlike those of
/// the standard library, its distributions and shuffle are the same everywhere.
class Random {
 public:
  explicit Random(std::initializer_list<uint64_t> key) : state_(mix(key)) {}

  uint64_t next();
  uint64_t below(uint64_t bound);  // uniform in [0, bound), bound > 0
  double uniform();                // uniform in [0, 1)

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t left = items.size(); left > 1; --left) {
      std::swap(items[left - 1], items[below(left)]);
    }
  }

 private:
  uint64_t state_;
};

}  // namespace heed
