#include "cli/training_task.h"

#include <cmath>
#include <memory>
#include <optional>

#include "base/signals.h"
#include "cli/evaluation.h"
#include "cli/line_progress.h"
#include "model/build.h"
#include "pipeline/labeler.h"
#include "pipeline/translator.h"
#include "train/precision.h"

namespace heed::cli {
namespace {

/// Validation runs between updates, so it searches greedily and never fails on a long line.
config::Decode validation_decode(config::Decode decode) {
  decode.beam_size = 1;
  decode.n_best = 1;
  decode.overlong = "truncate";
  return decode;
}

}  // namespace

TrainingTask build_task(const config::Run& config, const model::Sizes& sizes,
                        torch::Device device) {
  TrainingTask task;
  const auto seed = static_cast<uint64_t>(config.seed);
  if (config.task == "classify") {
    task.classifier = model::build_classifier(config.model, sizes, seed);
    task.classifier->to(device);
    task.objective =
        std::make_unique<train::ClassificationObjective>(task.classifier, config.train);
  } else {
    task.encoder_decoder = model::build_encoder_decoder(config.model, sizes, seed);
    task.encoder_decoder->to(device);
    task.objective =
        std::make_unique<train::TranslationObjective>(task.encoder_decoder, config.train);
  }
  return task;
}

std::optional<config::Json> validate(const config::Run& config, const TrainingData& data,
                                     TrainingTask& task, torch::Device device) {
  const LossOptions options{.device = device,
                            .precision = train::pick_precision(config.train.precision, device),
                            .stop = [] { return SignalWatch::caught() != 0; }};
  const auto decode = validation_decode(config.decode);
  LineProgress progress("validated", data.valid->size());
  const auto done = [&](int64_t lines) { progress.add(lines); };
  if (task.classifier) {
    const pipeline::Labeler labeler({.model = task.classifier,
                                     .tokenizers = data.tokenizers,
                                     .device = device,
                                     .data = config.data,
                                     .done = done},
                                    decode);
    return evaluate_classification(*data.valid, *task.objective, options, labeler, data.labels);
  }
  const pipeline::Translator translator({.model = task.encoder_decoder,
                                         .tokenizers = data.tokenizers,
                                         .device = device,
                                         .data = config.data,
                                         .done = done},
                                        decode);
  return evaluate_translation(*data.valid, *task.objective, options, translator, {.samples = 3});
}

double chosen_score(const config::Json& scores, const config::Run& config) {
  auto metric = config.train.metric;
  if (metric == "auto") metric = config.task == "classify" ? "accuracy" : "bleu";
  const auto& score = scores.at(metric);
  if (!score.is_number()) return std::nan("");
  return metric == "loss" || metric == "ppl" ? -score.get<double>() : score.get<double>();
}

}  // namespace heed::cli
