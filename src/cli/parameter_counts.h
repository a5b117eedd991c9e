#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/torch.h"

namespace heed::cli {

/// Parameters by the part of the model that they are in, each tied one once, frozen ones too.
std::map<std::string, int64_t> parameters_by_part(const torch::nn::Module& model);

int64_t parameter_count(const torch::nn::Module& model);

}  // namespace heed::cli
