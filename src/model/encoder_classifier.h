#pragma once

#include "model/build.h"
#include "model/choices.h"
#include "model/transformer_encoder.h"
#include "nn/linear.h"

namespace heed::model {

/// A Transformer encoder whose features become one: their mean or maximum over the real positions,
/// or, with "pooling": "cls", those of the end-of-text token, which reads the whole text and needs
/// no token of its own. Parameters are named as in TransformerImpl, and classifier.{weight,bias}.
class EncoderClassifierImpl final : public Classifier {
 public:
  /// Throws ConfigError where config and sizes don't fit.
  EncoderClassifierImpl(const config::Model& config, const Sizes& sizes);

  torch::Tensor pool(const Sequences& source) override;

  torch::Tensor output_weight() const override { return classifier_->weight(); }
  torch::Tensor output_bias() const override { return classifier_->bias(); }
  torch::Tensor logits(const torch::Tensor& features) const override {
    return classifier_->forward(features);
  }

 private:
  Pooling pooling_;
  TransformerEncoder encoder_{nullptr};
  nn::Linear classifier_{nullptr};
};

}  // namespace heed::model
