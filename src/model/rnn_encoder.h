#pragma once

#include <vector>

#include "config/model.h"
#include "model/encoder_decoder.h"
#include "nn/embedding.h"
#include "nn/recurrent/layer.h"

namespace heed::model {

/// The recurrent encoder of translator and classifier. It never reads padding: each text runs to
/// its own end, and back from there.
class RnnEncoderImpl final : public torch::nn::Module {
 public:
  /// `embedding` may belong to others too, so it is registered by its owner, not here.
  RnnEncoderImpl(const config::Model& config, nn::Embedding embedding);

  /// ids [B, T] -> features [B, T, D], 0 at padding. With two directions, the last features of the
  /// first half and the first ones of the second half have read the whole text.
  torch::Tensor forward(const Sequences& source) const;

 private:
  nn::Embedding embedding_;
  nn::Dropout embedding_dropout_{nullptr};
  std::vector<nn::RecurrentLayer> layers_;
  std::vector<nn::Dropout> dropouts_;  // between two layers
};
TORCH_MODULE(RnnEncoder);

/// What an encoder ends with: features [B, T, D], lengths [B] on their device -> [B, D]; 0 for an
/// empty text.
torch::Tensor last_features(const torch::Tensor& features, const torch::Tensor& lengths,
                            bool bidirectional);

}  // namespace heed::model
