#pragma once

#include <memory>
#include <optional>

#include "cli/training_data.h"
#include "config/fields.h"
#include "config/run.h"
#include "model/classifier.h"
#include "model/encoder_decoder.h"
#include "train/objective.h"

namespace heed::cli {

/// The model of a config's task, one of the two, with what trains it.
struct TrainingTask {
  std::shared_ptr<model::EncoderDecoder> encoder_decoder;
  std::shared_ptr<model::Classifier> classifier;
  std::unique_ptr<train::Objective> objective;
};

TrainingTask build_task(const config::Run& config, const model::Sizes& sizes, torch::Device device);

/// Scores of the weights as they are on the validation set, which is there; none where a signal
/// came first.
std::optional<config::Json> validate(const config::Run& config, const TrainingData& data,
                                     TrainingTask& task, torch::Device device);

/// What the best checkpoint is chosen by: higher is better, so losses count negative.
double chosen_score(const config::Json& scores, const config::Run& config);

}  // namespace heed::cli
