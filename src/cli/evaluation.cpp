#include "cli/evaluation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "data/bucket.h"
#include "eval/bleu.h"
#include "eval/chrf.h"
#include "eval/classification.h"
#include "eval/exact_match.h"
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

}  // namespace

EvaluationSet read_evaluation_set(const config::Run& config, const config::Split& split,
                                  const text::Tokenizers& tokenizers,
                                  const std::vector<std::string>& labels) {
  EvaluationSet set;
  data::Corpus corpus;
  const auto max_len = config.data.max_len;
  if (config.task == "classify") {
    set.table = data::read_table(split.file, config.data);
    corpus = data::make_corpus(set.table, *tokenizers.source, labels, max_len);
  } else {
    set.pairs = data::read_pairs(split.source, split.target);
    corpus = data::make_corpus(set.pairs, tokenizers, max_len);
  }
  set.batches = in_batches(corpus.examples, config.train);
  set.left_out = data::reports(corpus, max_len);
  return set;
}

std::optional<Json> evaluate_translation(const EvaluationSet& set, train::Objective& objective,
                                         const LossOptions& options,
                                         const pipeline::Translator& translator) {
  const auto begin = Clock::now();
  const auto loss = train::validation_loss(objective, set.batches, options.device,
                                           options.precision, options.stop);
  if (!loss) return std::nullopt;

  std::vector<std::string> hypotheses;
  const pipeline::Origin origin{.file = set.pairs.source_file};
  for (const auto& translation : translator.translate(set.pairs.source, origin)) {
    hypotheses.push_back(translation.text());
  }
  const auto& references = set.pairs.target;
  auto json = loss_json(*loss);
  json["token_accuracy"] = loss->accuracy;
  json["exact_match"] = eval::exact_match(hypotheses, references);
  json["bleu"] = eval::corpus_bleu(hypotheses, references).score;
  json["bleu_signature"] = eval::bleu_signature();
  json["chrf"] = eval::corpus_chrf(hypotheses, references);
  json["chrf_signature"] = eval::chrf_signature();
  json["sentences"] = references.size();
  json["target_tokens"] = loss->tokens;
  json["seconds"] = seconds_since(begin);
  return json;
}

std::optional<Json> evaluate_classification(const EvaluationSet& set, train::Objective& objective,
                                            const LossOptions& options,
                                            const pipeline::Labeler& labeler,
                                            const std::vector<std::string>& labels) {
  const auto begin = Clock::now();
  const auto loss = train::validation_loss(objective, set.batches, options.device,
                                           options.precision, options.stop);
  if (!loss) return std::nullopt;

  std::vector<std::string> texts;
  for (const auto& record : set.table.records) texts.push_back(record.text);
  const auto labelings = labeler.label(texts, {.file = set.table.file});
  std::vector<int64_t> expected, predicted;
  for (std::size_t i = 0; i < labelings.size(); ++i) {
    if (labelings[i].probabilities.empty()) continue;
    const auto& label = set.table.records[i].label;
    expected.push_back(std::ranges::find(labels, label) - labels.begin());
    predicted.push_back(labelings[i].ranked().front());
  }
  const auto scores = eval::classification_scores(expected, predicted, std::ssize(labels));
  auto json = loss_json(*loss);
  json["accuracy"] = scores.accuracy;
  json["macro_f1"] = scores.macro_f1;
  json["per_class"] = per_class_json(scores, labels);
  json["labels"] = labels;
  json["confusion"] = scores.confusion;
  json["sentences"] = expected.size();
  json["seconds"] = seconds_since(begin);
  return json;
}

}  // namespace heed::cli
