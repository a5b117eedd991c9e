#pragma once

#include <cstdint>

namespace heed::eval {

/// numpy.random.default_rng(seed) of NumPy 1.17 and later, as far as drawing places goes: PCG64
/// (O'Neill, 2014: PCG XSL RR 128/64) set up by SeedSequence.
class NumpyRandom {
 public:
  explicit NumpyRandom(uint64_t seed);

  uint64_t next();  // uniform in [0, 2^64)

  /// The next of Generator.integers(bound), and of Generator.choice(bound, replace=True). Uniform
  /// in [0, bound), 0 < bound < 2^32; draws nothing for a bound of 1 (Lemire, 2019).
  uint32_t below(uint32_t bound);

 private:
  using Uint128 = unsigned __int128;

  void step();
  uint32_t next_half();  // the low half of a draw, then its high half

  Uint128 state_ = 0;
  Uint128 increment_ = 0;
  bool has_half_ = false;
  uint32_t half_ = 0;
};

}  // namespace heed::eval
