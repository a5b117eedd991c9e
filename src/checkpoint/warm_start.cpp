#include "checkpoint/warm_start.h"

#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "checkpoint/directory.h"

namespace fs = std::filesystem;

namespace heed::checkpoint {

WarmStart warm_start(torch::nn::Module& module, const NamedTensors& tensors,
                     const std::string& where) {
  const torch::NoGradGuard no_grad;
  WarmStart result;
  auto left = tensors;
  for (auto& [name, to] : named_tensors(module)) {
    const auto found = left.extract(name);
    if (found.empty()) {
      result.missing.push_back(name);
    } else if (found.mapped().sizes() != to.sizes()) {
      result.reshaped.push_back(name);
    } else {
      to.copy_(found.mapped());
      result.taken.push_back(name);
    }
  }
  for (const auto& entry : left) result.extra.push_back(entry.first);
  if (result.taken.empty()) {
    throw CheckpointError(
        fmt::format("{}: none of its {} tensors is one of this model", where, tensors.size()));
  }
  return result;
}

NamedTensors weights_at(const fs::path& path) {
  if (!fs::is_directory(path)) return read_safetensors(path);
  const auto dir = fs::exists(path / "MANIFEST.json") ? path : find(path, "best");
  return load(dir, /*with_optimizer=*/false).model;
}

}  // namespace heed::checkpoint
