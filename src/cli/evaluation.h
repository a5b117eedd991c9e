#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "config/run.h"
#include "data/batch.h"
#include "data/corpus.h"
#include "pipeline/labeler.h"
#include "pipeline/translator.h"
#include "text/tokenizer.h"
#include "train/objective.h"

namespace heed::cli {

/// A data set to evaluate on, read and encoded once.
struct EvaluationSet {
  data::Pairs pairs{};                  // of a translator
  data::Table table{};                  // of a classifier
  std::vector<data::Batch> batches;     // without what has no loss: empty or over data.max_len
  std::vector<std::string> left_out{};  // what that was, a line a reason
};

/// Throws DataError where a file can't be read, a label is unknown or no line has a loss.
EvaluationSet read_evaluation_set(const config::Run& config, const config::Split& split,
                                  const text::Tokenizers& tokenizers,
                                  const std::vector<std::string>& labels);

/// Where and how the loss is computed.
struct LossOptions {
  torch::Device device = torch::kCPU;
  std::optional<torch::ScalarType> precision{};
  std::function<bool()> stop{};  // asked between batches
};

/// Loss over the pairs that have one; exact match, BLEU and chrF over every line:
/// loss, nll, ppl, token_accuracy, exact_match, bleu, bleu_signature, chrf, chrf_signature,
/// sentences, target_tokens, seconds. None where `stop` says so.
std::optional<config::Json> evaluate_translation(const EvaluationSet& set,
                                                 train::Objective& objective,
                                                 const LossOptions& options,
                                                 const pipeline::Translator& translator);

/// loss, nll, ppl, accuracy, macro_f1, per_class, labels, confusion[label][prediction], sentences,
/// seconds. Empty texts, which get no label, are left out of all of them.
std::optional<config::Json> evaluate_classification(const EvaluationSet& set,
                                                    train::Objective& objective,
                                                    const LossOptions& options,
                                                    const pipeline::Labeler& labeler,
                                                    const std::vector<std::string>& labels);

}  // namespace heed::cli
