#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/torch.h"
#include "config/json.h"

/// Numbers as `heed explain` writes them.
namespace heed::inspect {

/// A matrix with its name, its shape and, where given, words in front of rows and above columns.
struct NumberTable {
  std::string name;
  std::vector<std::string> rows{};
  std::vector<std::string> columns{};
  torch::Tensor values;  // [R, C], within 80 columns up to C = 6
};

std::string number_table(const NumberTable& table);

/// A vector, 8 numbers a line: "name [Dk]" above. Of more than `most` numbers the first ones, and
/// how many follow.
std::string number_list(const std::string& name, const torch::Tensor& values, int64_t most = 16);

/// "[4, 4]"
std::string shape_of(const torch::Tensor& x);

/// Of any depth; null where a number is not finite.
config::Json numbers_json(const torch::Tensor& x);

}  // namespace heed::inspect
