#pragma once

#include <string>
#include <vector>

#include "base/torch.h"

namespace heed::train {

/// Parameters whose name fits one of the patterns (* any letters, ? one) get no gradient from now
/// on; a tied one is meant by each of its names. -> how many tensors that are. Throws ConfigError
/// for a pattern that fits none.
int64_t freeze(torch::nn::Module& module, const std::vector<std::string>& patterns);

}  // namespace heed::train
