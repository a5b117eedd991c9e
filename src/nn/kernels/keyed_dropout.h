#pragma once

#include "base/torch.h"

namespace heed::nn {

/// Where the elements of a call stand in the whole that they are a part of.
struct DropoutPlaces {
  int64_t row = 0;           // of the first t
  int64_t element = 0;       // of the first d
  torch::Tensor rows{};      // int64, broadcasts to [B, H, T]: rows that are no range; or undefined
  torch::Tensor elements{};  // int64, broadcasts to [B, H, T, D]: likewise

  bool ranges() const { return !rows.defined() && !elements.defined(); }
};

/// residual + (x / (1 - p) where kept, else 0), in one pass that saves no mask: the gradient draws
/// it again. Whether an element is kept depends on the key of its example and its place (h, t, d)
/// alone, so neither padding nor the batch around an example changes it.
///
///   x [B, H, T, D]   residual like x, or undefined = 0   keys int64 [B], on the CPU
///   -> like x; computed in fp32 where x is narrower
torch::Tensor keyed_dropout(const torch::Tensor& x, const torch::Tensor& residual,
                            const torch::Tensor& keys, double p, const DropoutPlaces& places = {});

/// The plain formula, which keyed_dropout must equal bit by bit; what devices without a kernel run.
torch::Tensor keyed_dropout_explicit(const torch::Tensor& x, const torch::Tensor& residual,
                                     const torch::Tensor& keys, double p,
                                     const DropoutPlaces& places = {});

}  // namespace heed::nn
