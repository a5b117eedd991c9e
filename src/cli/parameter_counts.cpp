#include "cli/parameter_counts.h"

#include "checkpoint/safetensors.h"

namespace heed::cli {

std::map<std::string, int64_t> parameters_by_part(const torch::nn::Module& model) {
  std::map<std::string, int64_t> parts;
  for (const auto& [name, tensor] : checkpoint::named_tensors(model)) {
    if (tensor.is_floating_point()) parts[name.substr(0, name.find('.'))] += tensor.numel();
  }
  return parts;
}

int64_t parameter_count(const torch::nn::Module& model) {
  int64_t all = 0;
  for (const auto& [part, count] : parameters_by_part(model)) all += count;
  return all;
}

}  // namespace heed::cli
