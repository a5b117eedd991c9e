#pragma once

#include <vector>

#include "base/torch.h"

namespace heed::train {

/// The L2 norm over all gradients together: fp32 [], which stays on the device. 0 for none.
torch::Tensor global_norm(const std::vector<torch::Tensor>& grads);

/// Scales all gradients in place so that their norm, which is `norm`, is at most `clip_norm`; 0 is
/// off. (LibTorch's `clip_grad_norm_` zeroes every gradient at 0, and waits for the device.)
void clip(const std::vector<torch::Tensor>& grads, double norm, double clip_norm);

}  // namespace heed::train
