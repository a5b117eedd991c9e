#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/torch.h"

namespace heed::checkpoint {

using NamedTensors = std::map<std::string, torch::Tensor>;

/// Writes and syncs https://github.com/huggingface/safetensors. Tensors are copied to the CPU as
/// they are written. Throws std::filesystem::filesystem_error.
void write_safetensors(const std::filesystem::path& file, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata = {});

/// Throws CheckpointError, "FILE: what", for any malformed file, before allocating more than the
/// file is long.
NamedTensors read_safetensors(const std::filesystem::path& file);

/// Parameters and buffers by name, tied ones once, under their first name. Buffers called "table"
/// follow from the config and are left out; load_into takes and ignores them.
NamedTensors named_tensors(const torch::nn::Module& module);

/// Copies tensors into the parameters and buffers of `module`. Throws CheckpointError naming what
/// is missing, unknown, or of another shape (both shapes), before touching any weight. `where`
/// begins the texts.
void load_into(torch::nn::Module& module, const NamedTensors& tensors, const std::string& where);

}  // namespace heed::checkpoint
