#pragma once

#include "nn/kernels/vectors.h"

// Sigmoid and tanh of eight numbers at once, within about 1e-7.

namespace heed::nn {

HEED_INLINE Floats magnitude(Floats x) {
  return reinterpret_cast<Floats>(reinterpret_cast<Integers>(x) & 0x7FFFFFFF);
}

HEED_INLINE Floats squash_sigmoid(Floats x) {
  const Floats e = exp_negative(-magnitude(x));
  const Floats low = e / (e + 1.0f);  // at -|x|
  return x < 0.0f ? low : 1.0f - low;
}

/// Near 0, where the formula would cancel, a polynomial (Cephes, tanhf).
HEED_INLINE Floats squash_tanh(Floats x) {
  const Floats size = magnitude(x);
  const Floats e = exp_negative(size * -2.0f);
  const Floats far = (1.0f - e) / (e + 1.0f);  // at |x|
  const Floats z = x * x;
  Floats p = spread(-5.70498872745e-3f);
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  const Floats near = p * z * x + x;
  const Floats outside = x < 0.0f ? -far : far;
  return size < 0.625f ? near : outside;
}

}  // namespace heed::nn
