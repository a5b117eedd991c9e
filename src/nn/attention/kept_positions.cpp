#include "nn/attention/kept_positions.h"

namespace heed::nn {

torch::Tensor KeptPositions::tensor(torch::Device device) const {
  const auto index = torch::TensorOptions().dtype(torch::kLong).device(device);
  const auto recent = torch::arange(oldest(), count, index).roll(turn());
  return torch::cat({torch::arange(sinks, index), recent});
}

torch::Tensor KeptBias::block(int64_t query_first, int64_t query_len, int64_t key_first,
                              int64_t key_len) const {
  const auto recent =
      whole_.block(query_first, query_len, kept_.oldest(), kept_.ring).roll(kept_.turn(), -1);
  if (kept_.sinks == 0) return recent.narrow(-1, key_first, key_len);
  const auto first = whole_.block(query_first, query_len, 0, kept_.sinks);
  return torch::cat({first, recent}, -1).narrow(-1, key_first, key_len);  // [H, Tq, Tk]
}

}  // namespace heed::nn
