#include "cli/evaluation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "cli/breakdown.h"
#include "data/bucket.h"
#include "eval/bleu.h"
#include "eval/calibration.h"
#include "eval/chrf.h"
#include "eval/classification.h"
#include "eval/exact_match.h"
#include "eval/ter.h"
#include "text/split.h"
#include "train/validation.h"

namespace heed::cli {
namespace {

using config::Json;
using Clock = std::chrono::steady_clock;

/// Batches of the size that fitted in training.
std::vector<data::Batch> in_batches(const std::vector<data::Example>& examples,
                                    const config::Train& train) {
  const auto tokens = std::max<int64_t>(1, train.batch_tokens / train.accumulate);
  std::vector<data::Batch> batches;
  for (const auto& places : data::plan_sorted(examples, tokens)) {
    std::vector<const data::Example*> chosen;
    for (const auto place : places) chosen.push_back(&examples[place]);
    batches.push_back(data::collate(chosen));
  }
  return batches;
}

Json finite(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json loss_json(const train::ValidationLoss& loss) {
  return {{"loss", finite(loss.loss)}, {"nll", finite(loss.nll)}, {"ppl", finite(loss.ppl())}};
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Json per_class_json(const eval::Classification& scores, const std::vector<std::string>& labels) {
  auto json = Json::object();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto& score = scores.per_class[i];
    json[labels[i]] = {{"precision", score.precision},
                       {"recall", score.recall},
                       {"f1", score.f1},
                       {"support", score.support}};
  }
  return json;
}

/// The scores of translations, and how to score some of their lines.
class TranslationScores {
 public:
  TranslationScores(const std::vector<std::string>& hypotheses,
                    const std::vector<std::string>& references, bool ter) {
    scored_.push_back({.key = "bleu", .metric = std::make_unique<eval::BleuMetric>()});
    scored_.push_back({.key = "chrf", .metric = std::make_unique<eval::ChrfMetric>()});
    if (ter) scored_.push_back({.key = "ter", .metric = std::make_unique<eval::TerMetric>()});
    for (auto& [key, metric, counts] : scored_) {
      counts = eval::count_lines(*metric, hypotheses, {&references, 1});
    }
  }

  void write(Json& json) const {
    for (const auto& [key, metric, counts] : scored_) {
      json[key] = metric->score(sum(*metric, counts));
      json[key + "_signature"] = signature(*metric);
    }
  }

  void write_of(const std::vector<std::size_t>& places, Json& json) const {
    for (const auto& [key, metric, counts] : scored_) {
      json[key] = metric->score(sum(*metric, counts, places));
    }
  }

 private:
  struct Scored {
    std::string key;
    std::unique_ptr<eval::Metric> metric;
    eval::Counts counts{};
  };
  std::vector<Scored> scored_;
};

/// What a classifier said of the texts that have words.
struct Predictions {
  std::vector<int64_t> expected;
  std::vector<int64_t> predicted;
  std::vector<std::vector<double>> probabilities;
  SourceCounts source;
};

Predictions predict(const EvaluationSet& set, const pipeline::Labeler& labeler,
                    const std::vector<std::string>& labels, const MoreScores& more) {
  const auto labelings = labeler.label(set.sources(), {.file = set.table.file});
  Predictions out;
  for (std::size_t i = 0; i < labelings.size(); ++i) {
    const auto& labeling = labelings[i];
    if (labeling.probabilities.empty()) continue;
    const auto& label = set.table.records[i].label;
    out.expected.push_back(std::ranges::find(labels, label) - labels.begin());
    out.predicted.push_back(labeling.ranked().front());
    out.probabilities.push_back(labeling.probabilities);
    out.source.add(labeling.source, more.unknown_words, i);
  }
  return out;
}

Json samples_json(const data::Pairs& pairs, const std::vector<std::string>& hypotheses,
                  int64_t count) {
  auto json = Json::array();
  for (int64_t i = 0; i < std::min<int64_t>(count, std::ssize(hypotheses)); ++i) {
    json.push_back(
        {{"source", pairs.source[i]}, {"result", hypotheses[i]}, {"reference", pairs.target[i]}});
  }
  return json;
}

double accuracy_of(const Predictions& predictions, const std::vector<std::size_t>& places) {
  const auto hits = std::ranges::count_if(
      places, [&](std::size_t i) { return predictions.expected[i] == predictions.predicted[i]; });
  return static_cast<double>(hits) / static_cast<double>(places.size());
}

void write_more(const Predictions& predictions, const MoreScores& more, Json& json) {
  if (more.top_k > 0) {
    json["top_k"] = more.top_k;
    json["top_k_accuracy"] =
        eval::top_k_accuracy(predictions.probabilities, predictions.expected, more.top_k);
  }
  if (more.breakdown) {
    json["breakdown"] = breakdown_json(predictions.source, [&](const auto& places, Json& row) {
      row["accuracy"] = accuracy_of(predictions, places);
    });
  }
}

}  // namespace

std::vector<std::string> EvaluationSet::sources() const {
  auto lines = pairs.source;
  for (const auto& record : table.records) lines.push_back(record.text);
  return lines;
}

EvaluationSet read_evaluation_set(const config::Run& config, const config::Split& split,
                                  const text::Tokenizers& tokenizers,
                                  const std::vector<std::string>& labels) {
  EvaluationSet set;
  data::Corpus corpus;
  if (config.task == "classify") {
    set.table = data::read_table(split.file, config.data);
    corpus = data::make_corpus(set.table, tokenizers.source, labels, config.data);
  } else {
    set.pairs = data::read_pairs(split.source, split.target);
    corpus = data::make_corpus(set.pairs, tokenizers, config.data);
    for (auto& line : set.pairs.target) {
      line = text::without_joiner(config.tokenizer, std::move(line));
    }
  }
  set.batches = in_batches(corpus.examples, config.train);
  set.left_out = data::reports(corpus);
  return set;
}

std::optional<Json> evaluate_translation(const EvaluationSet& set, train::Objective& objective,
                                         const LossOptions& options,
                                         const pipeline::Translator& translator,
                                         const MoreScores& more) {
  const auto begin = Clock::now();
  const auto loss = train::validation_loss(objective, set.batches, options.device,
                                           options.precision, options.stop);
  if (!loss) return std::nullopt;

  std::vector<std::string> hypotheses;
  SourceCounts source;
  const pipeline::Origin origin{.file = set.pairs.source_file};
  for (const auto& translation : translator.translate(set.pairs.source, origin)) {
    source.add(translation.source, more.unknown_words, hypotheses.size());
    hypotheses.push_back(translation.text());
  }
  const auto& references = set.pairs.target;
  const TranslationScores scores(hypotheses, references, more.ter);

  auto json = loss_json(*loss);
  json["token_accuracy"] = loss->accuracy;
  json["exact_match"] = eval::exact_match(hypotheses, references);
  scores.write(json);
  json["sentences"] = references.size();
  json["target_tokens"] = loss->tokens;
  if (more.samples > 0) json["samples"] = samples_json(set.pairs, hypotheses, more.samples);
  if (more.breakdown) {
    json["breakdown"] = breakdown_json(
        source, [&](const auto& places, Json& row) { scores.write_of(places, row); });
  }
  json["seconds"] = seconds_since(begin);
  return json;
}

std::optional<Json> evaluate_classification(const EvaluationSet& set, train::Objective& objective,
                                            const LossOptions& options,
                                            const pipeline::Labeler& labeler,
                                            const std::vector<std::string>& labels,
                                            const MoreScores& more) {
  const auto begin = Clock::now();
  const auto loss = train::validation_loss(objective, set.batches, options.device,
                                           options.precision, options.stop);
  if (!loss) return std::nullopt;

  const auto predictions = predict(set, labeler, labels, more);
  const auto scores =
      eval::classification_scores(predictions.expected, predictions.predicted, std::ssize(labels));
  const auto calibration =
      eval::calibration(predictions.probabilities, predictions.expected, more.ece_bins);

  auto json = loss_json(*loss);
  json["accuracy"] = scores.accuracy;
  json["macro_f1"] = scores.macro_f1;
  json["ece"] = finite(calibration.ece);
  json["brier"] = finite(calibration.brier);
  json["confidence"] = finite(calibration.confidence);
  write_more(predictions, more, json);
  json["per_class"] = per_class_json(scores, labels);
  json["labels"] = labels;
  json["confusion"] = scores.confusion;
  json["sentences"] = predictions.expected.size();
  json["seconds"] = seconds_since(begin);
  return json;
}

}  // namespace heed::cli
