#pragma once

#include "model/encoder_decoder.h"

namespace heed::model {

/// A model that gives one label to a text. Like EncoderDecoder it returns features and owns the
/// output projection.
class Classifier : public torch::nn::Module {
 public:
  /// ids [B, T] -> pooled features [B, D]
  virtual torch::Tensor pool(const Sequences& source) = 0;

  virtual torch::Tensor output_weight() const = 0;                        // [classes, D]
  virtual torch::Tensor output_bias() const = 0;                          // [classes] or undefined
  virtual torch::Tensor logits(const torch::Tensor& features) const = 0;  // [B, classes]
};

}  // namespace heed::model
