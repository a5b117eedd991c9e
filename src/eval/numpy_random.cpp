#include "eval/numpy_random.h"

#include <array>
#include <bit>

namespace heed::eval {
namespace {

using Pool = std::array<uint32_t, 4>;

/// One of SeedSequence's two hashes, whose constant changes with every value.
struct Hash {
  uint32_t constant;
  uint32_t factor;

  uint32_t operator()(uint32_t value) {
    value ^= constant;
    constant *= factor;
    value *= constant;
    return value ^ value >> 16;
  }
};

uint32_t mixed(uint32_t a, uint32_t b) {
  const uint32_t value = 0xCA01F9DD * a - 0x4973F715 * b;
  return value ^ value >> 16;
}

Pool seed_pool(uint64_t seed) {
  Hash hash{0x43B0D7E5, 0x931E8875};
  Pool pool{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32), 0, 0};
  for (auto& word : pool) word = hash(word);
  for (std::size_t from = 0; from < pool.size(); ++from) {
    for (std::size_t to = 0; to < pool.size(); ++to) {
      if (from != to) pool[to] = mixed(pool[to], hash(pool[from]));
    }
  }
  return pool;
}

/// SeedSequence(seed).generate_state(4, uint64)
std::array<uint64_t, 4> seed_words(uint64_t seed) {
  const auto pool = seed_pool(seed);
  Hash hash{0x8B51F9DD, 0x58F38DED};
  std::array<uint64_t, 4> words{};
  for (std::size_t i = 0; i < 2 * words.size(); ++i) {
    words[i / 2] |= uint64_t{hash(pool[i % pool.size()])} << 32 * (i % 2);
  }
  return words;
}

}  // namespace

NumpyRandom::NumpyRandom(uint64_t seed) {
  const auto words = seed_words(seed);
  increment_ = (Uint128{words[2]} << 64 | words[3]) << 1 | 1;
  step();
  state_ += Uint128{words[0]} << 64 | words[1];
  step();
}

void NumpyRandom::step() {
  constexpr auto kFactor = Uint128{2549297995355413924} << 64 | 4865540595714422341;
  state_ = state_ * kFactor + increment_;
}

uint64_t NumpyRandom::next() {
  step();
  const auto high = static_cast<uint64_t>(state_ >> 64);
  return std::rotr(high ^ static_cast<uint64_t>(state_), static_cast<int>(high >> 58));
}

uint32_t NumpyRandom::next_half() {
  if (has_half_) {
    has_half_ = false;
    return half_;
  }
  const auto both = next();
  has_half_ = true;
  half_ = static_cast<uint32_t>(both >> 32);
  return static_cast<uint32_t>(both);
}

uint32_t NumpyRandom::below(uint32_t bound) {
  if (bound == 1) return 0;
  const uint32_t excess = -bound % bound;  // 2^32 mod bound: as many draws would favor some numbers
  auto product = uint64_t{next_half()} * bound;
  while (static_cast<uint32_t>(product) < excess) product = uint64_t{next_half()} * bound;
  return static_cast<uint32_t>(product >> 32);
}

}  // namespace heed::eval
