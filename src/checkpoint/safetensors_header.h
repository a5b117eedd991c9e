#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/torch.h"

namespace heed::checkpoint {

/// One tensor of a safetensors file: where it lies among the data, in bytes.
struct StoredTensor {
  std::string name;
  torch::ScalarType type = torch::kFloat32;
  std::vector<int64_t> shape;
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Names of types in the format: F32, I64, BOOL, ... Throws std::logic_error for a type that is not
/// stored.
std::string type_name(torch::ScalarType type);

/// The JSON of a header, in the order of the data; padded with spaces so that the data that follow
/// its length and itself begin at a multiple of 8.
std::string write_header(const std::vector<StoredTensor>& tensors,
                         const std::map<std::string, std::string>& metadata);

/// Tensors by place, which cover [0, data_bytes) without gap or overlap. Memory stays in proportion
/// to `header`, whatever it holds. Throws CheckpointError, "`where`: what".
std::vector<StoredTensor> read_header(std::string_view header, uint64_t data_bytes,
                                      const std::string& where);

}  // namespace heed::checkpoint
