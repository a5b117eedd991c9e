#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "nn/kernels/widest.h"

// Eight numbers at once, in the compiler's own vector types: one register of AVX2 or AVX-512VL, two
// of SSE or NEON. (Wider types are taken apart element by element where registers are narrower.)
// All of it is inlined, so the ABI of passing vectors, which compilers remark on (-Wpsabi), doesn't
// matter.

namespace heed::nn {

inline constexpr int64_t kLanes = 8;

using Floats = float __attribute__((vector_size(32)));
using Integers = int32_t __attribute__((vector_size(32)));
using Unsigned = uint32_t __attribute__((vector_size(32)));

HEED_INLINE Floats spread(float x) { return Floats{} + x; }

/// Eight numbers from `from` on, as fp32.
template <typename T>
HEED_INLINE Floats load_floats(const T* from) {
  Floats x;
  if constexpr (std::is_same_v<T, float>) {
    std::memcpy(&x, from, sizeof(x));
  } else {
    for (int64_t i = 0; i < kLanes; ++i) x[i] = static_cast<float>(from[i]);
  }
  return x;
}

template <typename T>
HEED_INLINE void store_floats(T* to, Floats x) {
  if constexpr (std::is_same_v<T, float>) {
    std::memcpy(to, &x, sizeof(x));
  } else {
    for (int64_t i = 0; i < kLanes; ++i) to[i] = static_cast<T>(x[i]);
  }
}

/// The first `count` (below eight) numbers from `from` on, and `otherwise` behind them.
template <typename T>
HEED_INLINE Floats load_part(const T* from, int64_t count, float otherwise) {
  Floats x = spread(otherwise);
  for (int64_t i = 0; i < count; ++i) x[i] = static_cast<float>(from[i]);
  return x;
}

template <typename T>
HEED_INLINE void store_part(T* to, Floats x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(x[i]);
}

HEED_INLINE Floats maximum(Floats a, Floats b) { return a < b ? b : a; }

HEED_INLINE double sum(Floats x) {
  double total = 0.0;
  for (int64_t i = 0; i < kLanes; ++i) total += static_cast<double>(x[i]);
  return total;
}

HEED_INLINE float largest(Floats x) {
  float most = x[0];
  for (int64_t i = 1; i < kLanes; ++i) most = most < x[i] ? x[i] : most;
  return most;
}

/// e^x for x <= 0, within two units in the last place, and 0 below -87 (where it is nearly the
/// smallest normal number): 2^n times a polynomial (Cephes, expf). NaN stays NaN.
HEED_INLINE Floats exp_negative(Floats x) {
  const Floats round = spread(12582912.0f);  // 1.5 * 2^23: leaves an integer in the low bits
  const Floats bounded = x < -87.0f ? spread(-87.0f) : x;
  const Floats shifted = bounded * 1.44269504088896341f + round;
  const Floats n = shifted - round;
  const Floats r = (bounded - n * 0.693359375f) - n * -2.12194440e-4f;
  Floats p = spread(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  const Unsigned bits = reinterpret_cast<Unsigned>(p) + (reinterpret_cast<Unsigned>(shifted) << 23);
  const Floats result = reinterpret_cast<Floats>(bits);
  return x < -87.0f ? spread(0.0f) : result;
}

}  // namespace heed::nn
