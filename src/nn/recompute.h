#pragma once

#include <functional>
#include <vector>

#include "base/torch.h"

namespace heed::nn {

using Layer = std::function<torch::Tensor(const std::vector<torch::Tensor>& inputs)>;

/// layer(inputs), whose inner results are not kept for the backward pass but computed there once
/// more (Chen et al., 2016), https://arxiv.org/abs/1604.06174: memory of one layer at a time, for
/// one more forward pass. Results and gradients are bit-equal to those of a plain call: the pass is
/// repeated in the type that autocast chose, and dropout is a pure function of step and place.
///
/// What `layer` refers to besides `inputs` must live until the backward pass is over. Parameters in
/// it get their gradients; other tensors that need one must be among the inputs.
torch::Tensor recompute(Layer layer, std::vector<torch::Tensor> inputs);

}  // namespace heed::nn
