#pragma once

#include <cstdint>
#include <vector>

#include "base/torch.h"

namespace heed::decode {

/// The best entries of every row, on the CPU, best first; equal ones by id. A row with fewer than k
/// entries above minus infinity ends in id -1. NaN never counts.
struct TopK {
  int64_t k = 0;
  std::vector<float> values;  // [rows * k]
  std::vector<int64_t> ids;   // [rows * k]
};

/// scores fp32 [rows, V]. Waits for the device, once.
TopK top_k(const torch::Tensor& scores, int64_t k);

}  // namespace heed::decode
