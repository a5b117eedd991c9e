#include "model/rnn_state.h"

namespace heed::model {

RnnRows RnnRows::select(const torch::Tensor& rows) const {
  RnnRows kept{.layers = {}, .fed = fed.defined() ? fed.index_select(0, rows) : fed};
  for (const auto& layer : layers) kept.layers.push_back(layer.select(rows));
  return kept;
}

void RnnState::select(const torch::Tensor& rows, const torch::Tensor& memory_rows) {
  const auto device = memory_.values.device();
  const int64_t kept = memory_rows.defined() ? memory_rows.numel() : this->memory_rows();
  TORCH_CHECK(kept > 0 ? rows.numel() % kept == 0 : rows.numel() == 0, rows.numel(),
              " hypotheses do not share ", kept, " memory rows evenly");
  rows_ = rows_.select(rows.to(device));
  if (memory_rows.defined()) memory_ = memory_.select(memory_rows.to(device));
}

}  // namespace heed::model
