#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/safetensors.h"

namespace heed::checkpoint {

/// What became of the tensors of a warm start, by name.
struct WarmStart {
  std::vector<std::string> taken;
  std::vector<std::string> missing;   // in the model, but not in the file
  std::vector<std::string> extra;     // in the file, but not in the model
  std::vector<std::string> reshaped;  // in both, in different shapes
};

/// Copies the parameters that a model and a file share by name and shape; the others stay as they
/// are. Throws CheckpointError where that is none; `where` begins the text.
WarmStart warm_start(torch::nn::Module& module, const NamedTensors& tensors,
                     const std::string& where);

/// The weights of a .safetensors file, of a checkpoint's directory, or of a run's best checkpoint.
/// Throws CheckpointError or DataError where `path` is none of them.
NamedTensors weights_at(const std::filesystem::path& path);

}  // namespace heed::checkpoint
