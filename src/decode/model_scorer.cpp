#include "decode/model_scorer.h"

#include <c10/core/InferenceMode.h>

namespace heed::decode {

ModelScorer::ModelScorer(model::EncoderDecoder& model, const model::Memory& memory, int64_t max_len,
                         const nn::CacheOptions& options)
    : model_(model), device_(memory.features.device()), vocabulary_(model.output_weight().size(0)) {
  const c10::InferenceMode inference;
  state_ = model_.start(memory, max_len, options);
}

torch::Tensor ModelScorer::next(const torch::Tensor& ids) {
  const c10::InferenceMode inference;
  const auto features = model_.step(ids.to(device_), *state_);       // [rows, D]
  return model_.logits(features).to(torch::kFloat).log_softmax(-1);  // [rows, V]
}

void ModelScorer::select(const torch::Tensor& rows, const torch::Tensor& memory_rows) {
  const c10::InferenceMode inference;
  state_->select(rows, memory_rows);
}

}  // namespace heed::decode
