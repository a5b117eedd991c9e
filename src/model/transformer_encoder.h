#pragma once

#include <memory>
#include <vector>

#include "config/model.h"
#include "model/encoder_decoder.h"
#include "model/token_input.h"
#include "nn/encoder_layer.h"

namespace heed::model {

/// The encoder of translator and classifier (Vaswani et al., 2017, section 3.1); pre-norm brings
/// one more norm at its end.
class TransformerEncoderImpl final : public torch::nn::Module {
 public:
  /// max_len: tokens of a text, special tokens included
  /// global_ids: pieces that see and are seen by all, under a pattern that has such tokens
  TransformerEncoderImpl(const config::Model& config, nn::Embedding embedding, int64_t max_len,
                         const std::vector<int64_t>& global_ids = {});

  /// ids [B, T] -> features [B, T, D]; padding changes none of the real ones
  torch::Tensor forward(const Sequences& source) const;

 private:
  torch::Tensor global_ids_;  // int64, on the CPU; undefined where there are none
  TokenInput input_{nullptr};
  std::vector<nn::EncoderLayer> layers_;
  std::shared_ptr<nn::Norm> norm_;  // null for post-norm
};
TORCH_MODULE(TransformerEncoder);

/// Whether no sequence is shorter than T: then attention needs no lengths. lengths: on the CPU
bool all_full(const torch::Tensor& lengths, int64_t len);

}  // namespace heed::model
