#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "checkpoint/safetensors.h"

namespace heed::checkpoint {

/// Fingerprints of tensors by name, of one step.
using WeightHashes = std::map<std::string, std::string>;

/// XXH3 of the bytes of each tensor, moved to the CPU.
WeightHashes hashes_of(const NamedTensors& tensors);

/// Steps -> fingerprints, as weights.jsonl of a run holds them: a line {"step", "tensors"} each; of
/// a step that is there twice the later one. Empty where there is no such file. Throws DataError,
/// "FILE:LINE: ...", for a line that is no such object; a last one that is cut off is left out.
std::map<int64_t, WeightHashes> read_weight_hashes(const std::filesystem::path& file);

/// Where two runs part: the first step that both have and at which a tensor differs.
struct Parting {
  int64_t step = 0;
  std::string tensor;
  std::optional<int64_t> last_equal{};  // step before, none where there is none
};

std::optional<Parting> first_difference(const std::map<int64_t, WeightHashes>& a,
                                        const std::map<int64_t, WeightHashes>& b);

}  // namespace heed::checkpoint
