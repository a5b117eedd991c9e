#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "model/build.h"
#include "train/trainer.h"

/// Small models and data for tests of training.
namespace heed::test {

inline data::Batch batch_of(const std::vector<data::Example>& examples) {
  std::vector<const data::Example*> chosen;
  for (const auto& example : examples) chosen.push_back(&example);
  return data::collate(chosen);
}

inline config::Run tiny_config() {
  config::Run config;
  config.model.d_model = 16;
  config.model.heads = 2;
  config.model.d_ff = 32;
  config.model.enc_layers = 1;
  config.model.dec_layers = 1;
  config.model.dropout = 0.0;
  config.train.lr = 0.01;
  config.train.schedule = "constant";
  config.train.warmup_steps = 0;
  config.train.label_smoothing = 0.0;
  config.train.precision = "fp32";
  config.train.eval_every = 0;
  config.checkpoint.every = 0;
  return config;
}

inline constexpr int64_t kPieces = 20;
inline constexpr int64_t kClasses = 3;

/// Texts of mixed length to be copied, whose label is their first id modulo the classes.
inline std::vector<data::Example> tiny_examples(int64_t count, uint64_t seed, bool labels) {
  Random random{seed};
  std::vector<data::Example> examples;
  for (int64_t index = 0; index < count; ++index) {
    data::Example example;
    const auto length = 1 + random.below(6);
    for (uint64_t i = 0; i < length; ++i) {
      example.source.push_back(4 + static_cast<int64_t>(random.below(kPieces - 4)));
    }
    if (labels) {
      example.label = example.source[0] % kClasses;
    } else {
      example.target = example.source;
    }
    example.index = index;
    examples.push_back(std::move(example));
  }
  return examples;
}

inline std::unique_ptr<train::TranslationObjective> tiny_translator(const config::Run& config) {
  return std::make_unique<train::TranslationObjective>(
      model::build_encoder_decoder(
          config.model,
          {.source_pieces = kPieces, .target_pieces = kPieces, .classes = 0, .max_len = 16}, 1),
      config.train);
}

inline std::unique_ptr<train::ClassificationObjective> tiny_classifier(const config::Run& config) {
  return std::make_unique<train::ClassificationObjective>(
      model::build_classifier(
          config.model,
          {.source_pieces = kPieces, .target_pieces = 0, .classes = kClasses, .max_len = 16}, 1),
      config.train);
}

/// Batches of `rows` examples, in another order each epoch; remembers which examples it gave.
class TinySource final : public train::BatchSource {
 public:
  TinySource(std::vector<data::Example> examples, int64_t rows)
      : examples_(std::move(examples)), rows_(rows) {}

  int64_t batches(int64_t /*epoch*/) override {
    return (std::ssize(examples_) + rows_ - 1) / rows_;
  }

  data::Batch batch(int64_t epoch, int64_t index) override {
    std::vector<const data::Example*> order;
    for (const auto& example : examples_) order.push_back(&example);
    Random{7, static_cast<uint64_t>(epoch)}.shuffle(order);
    std::vector<const data::Example*> chosen;
    for (int64_t i = index * rows_; i < std::min((index + 1) * rows_, std::ssize(order)); ++i) {
      chosen.push_back(order[i]);
      given.push_back(order[i]->index);
    }
    return data::collate(chosen);
  }

  std::vector<int64_t> given;

 private:
  std::vector<data::Example> examples_;
  int64_t rows_;
};

/// Another objective whose loss is NaN at one of its passes, from 1.
class FaultyObjective final : public train::Objective {
 public:
  FaultyObjective(train::Objective& inner, int64_t bad_pass) : inner_(inner), bad_pass_(bad_pass) {}

  torch::nn::Module& module() override { return inner_.module(); }
  int64_t predictions(const data::Batch& batch) const override { return inner_.predictions(batch); }
  int64_t tokens(const data::Batch& batch) const override { return inner_.tokens(batch); }
  train::LossSums forward(const data::Batch& batch, const nn::Noise* noise) override {
    auto sums = inner_.forward(batch, noise);
    if (++pass_ == bad_pass_) sums.loss = sums.loss * std::numeric_limits<double>::quiet_NaN();
    return sums;
  }

 private:
  train::Objective& inner_;
  int64_t bad_pass_;
  int64_t pass_ = 0;
};

/// Copies of all weights.
inline checkpoint::NamedTensors weights_of(train::Objective& objective) {
  checkpoint::NamedTensors weights;
  for (const auto& [name, tensor] : checkpoint::named_tensors(objective.module())) {
    weights[name] = tensor.clone();
  }
  return weights;
}

inline bool same(const checkpoint::NamedTensors& a, const checkpoint::NamedTensors& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, tensor] : a) {
    if (!b.contains(name) || !torch::equal(tensor, b.at(name))) return false;
  }
  return true;
}

}  // namespace heed::test
