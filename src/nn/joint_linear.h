#pragma once

#include <vector>

#include "nn/linear.h"

namespace heed::nn {

/// Lays the weights of these layers one behind the other in one buffer, and their biases in
/// another. They stay the parameters they are. To be called again after a device move.
void make_adjacent(const std::vector<Linear>& layers);

/// What all layers give for the same x [..., in]: [..., out] each, views of one result. One
/// multiplication where their weights are adjacent (by pointer and shape: tied weights share a
/// pointer too), one for each otherwise.
std::vector<torch::Tensor> joint_linear(const torch::Tensor& x, const std::vector<Linear>& layers);

}  // namespace heed::nn
