#pragma once

#include <memory>

#include "decode/scorer.h"
#include "model/encoder_decoder.h"

namespace heed::decode {

/// A model and its state as search sees them. Keeps no gradients.
class ModelScorer final : public Scorer {
 public:
  /// One hypothesis a memory row at the start, with room for `max_len` tokens each.
  ModelScorer(model::EncoderDecoder& model, const model::Memory& memory, int64_t max_len,
              const nn::CacheOptions& options = {});

  int64_t vocabulary() const override { return vocabulary_; }

  /// ids int64 [rows], on any device -> log p [rows, V], fp32, on the model's device
  torch::Tensor next(const torch::Tensor& ids) override;

  void select(const torch::Tensor& rows, const torch::Tensor& memory_rows) override;

 private:
  model::EncoderDecoder& model_;
  torch::Device device_;
  int64_t vocabulary_;
  std::unique_ptr<model::DecoderState> state_;
};

}  // namespace heed::decode
