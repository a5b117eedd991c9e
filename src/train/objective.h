#pragma once

#include <cstdint>
#include <memory>

#include "config/train.h"
#include "data/batch.h"
#include "model/classifier.h"
#include "model/encoder_decoder.h"
#include "nn/noise.h"

namespace heed::train {

/// Sums over what a batch asks a model to predict; padding is nowhere in them.
struct LossSums {
  torch::Tensor loss;     // fp32 [], carries the gradient
  torch::Tensor nll;      // fp32 [], without smoothing
  torch::Tensor correct;  // int64 [], most probable is right
};

/// What is trained: turns a batch and a model into a summed loss.
class Objective {
 public:
  virtual ~Objective() = default;

  virtual torch::nn::Module& module() = 0;

  /// Predictions of a batch: target tokens of a translator (EOS counted), texts of a classifier.
  /// The loss is divided by it.
  virtual int64_t predictions(const data::Batch& batch) const = 0;

  /// What batch_tokens and rates count: real target tokens; of a classifier, real input tokens.
  virtual int64_t tokens(const data::Batch& batch) const = 0;

  /// batch: on the model's device, its lengths on the CPU. noise: of dropout, null for none.
  virtual LossSums forward(const data::Batch& batch, const nn::Noise* noise) = 0;
};

/// Label-smoothed cross entropy of the next target token.
class TranslationObjective final : public Objective {
 public:
  /// Read of `config`: label_smoothing and recompute.
  TranslationObjective(std::shared_ptr<model::EncoderDecoder> model, const config::Train& config);

  torch::nn::Module& module() override { return *model_; }
  int64_t predictions(const data::Batch& batch) const override { return batch.target_tokens; }
  int64_t tokens(const data::Batch& batch) const override { return batch.target_tokens; }
  LossSums forward(const data::Batch& batch, const nn::Noise* noise) override;

 private:
  std::shared_ptr<model::EncoderDecoder> model_;
  double label_smoothing_;
  bool recompute_;
};

/// Label-smoothed cross entropy of a text's label.
class ClassificationObjective final : public Objective {
 public:
  /// Read of `config`: label_smoothing and recompute.
  ClassificationObjective(std::shared_ptr<model::Classifier> model, const config::Train& config);

  torch::nn::Module& module() override { return *model_; }
  int64_t predictions(const data::Batch& batch) const override { return batch.size(); }
  int64_t tokens(const data::Batch& batch) const override { return batch.source_tokens; }
  LossSums forward(const data::Batch& batch, const nn::Noise* noise) override;

 private:
  std::shared_ptr<model::Classifier> model_;
  double label_smoothing_;
  bool recompute_;
};

/// lengths int64 [B] on the CPU -> int64 [sum of lengths] on the CPU: the places of real tokens in
/// a [B, max_len] tensor that is flattened.
torch::Tensor real_rows(const torch::Tensor& lengths, int64_t max_len);

}  // namespace heed::train
