#include "nn/attention/running_sums.h"

#include <utility>

namespace heed::nn {

void Sums::select(const torch::Tensor& rows) {
  if (!key.defined()) return;
  key = key.index_select(0, rows);
  value = value.index_select(0, rows);
}

void RunningSums::advance(Sums sums, int64_t step) {
  TORCH_CHECK(past_ + step <= max_len_, past_, " + ", step, " tokens exceed the room for ",
              max_len_);
  sums_ = std::move(sums);
  past_ += step;
}

void SummedMemory::select(const torch::Tensor& rows) {
  MemoryCache::select(rows);
  sums_.select(rows);
}

}  // namespace heed::nn
