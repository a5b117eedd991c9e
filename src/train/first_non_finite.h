#pragma once

#include <functional>
#include <string>

#include "base/torch.h"

namespace heed::train {

/// Runs `work` once, looks at what every operator gives, and names the first that gives NaN or plus
/// infinity with the parameter that was read last: "aten::mm near 'layers.0.feed_forward.weight'".
/// Empty where all is finite. Slow; for when something went wrong. One at a time.
std::string first_non_finite(const torch::nn::Module& module, const std::function<void()>& work);

}  // namespace heed::train
