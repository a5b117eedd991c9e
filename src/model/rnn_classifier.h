#pragma once

#include "model/build.h"
#include "model/rnn_encoder.h"
#include "nn/linear.h"
#include "nn/recurrent/attention_pooling.h"

namespace heed::model {

/// A recurrent encoder whose features are pooled by additive attention (Yang et al., 2016). Traced,
/// the weights are "cross" attention of one row. Parameters are named as in RnnTranslatorImpl, and
/// pooling.key_proj, pooling.score_weight, classifier.{weight,bias}.
class RnnClassifierImpl final : public Classifier {
 public:
  /// Throws ConfigError where config and sizes don't fit.
  RnnClassifierImpl(const config::Model& config, const Sizes& sizes);

  torch::Tensor pool(const Sequences& source) override;

  torch::Tensor output_weight() const override { return classifier_->weight(); }
  torch::Tensor output_bias() const override { return classifier_->bias(); }
  torch::Tensor logits(const torch::Tensor& features) const override {
    return classifier_->forward(features);
  }

 private:
  RnnEncoder encoder_{nullptr};
  nn::AttentionPooling pooling_{nullptr};
  nn::Dropout dropout_{nullptr};
  nn::Linear classifier_{nullptr};
};

}  // namespace heed::model
