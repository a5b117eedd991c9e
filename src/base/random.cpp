#include "base/random.h"

namespace heed {
namespace {

constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;  // 2^64 / the golden ratio, odd

/// The output function of SplitMix64: every bit of the input moves half of the output's.
uint64_t scramble(uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

}  // namespace

uint64_t mix(std::initializer_list<uint64_t> numbers) {
  uint64_t hash = 0;
  for (const auto number : numbers) hash = scramble(hash + number + kGolden);
  return hash;
}

uint64_t Random::next() { return scramble(state_ += kGolden); }

uint64_t Random::below(uint64_t bound) {
  const uint64_t excess = -bound % bound;  // 2^64 mod bound: as many draws would favor low numbers
  uint64_t drawn = next();
  while (drawn < excess) drawn = next();
  return drawn % bound;
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

}  // namespace heed
