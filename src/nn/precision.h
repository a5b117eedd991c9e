#pragma once

#include "base/torch.h"

namespace heed::nn {

/// x as products want it under mixed precision: fp32 becomes the type that autocast has for the
/// device; everything else, and everything without autocast, stays.
torch::Tensor for_product(const torch::Tensor& x);

/// x as softmax, norms and sums want it: fp32 or wider. CPU autocast leaves these in half
/// precision.
torch::Tensor widen(const torch::Tensor& x);

}  // namespace heed::nn
