#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
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
  data::Pairs pairs{};                  // of a translator; targets as a reader has them
  data::Table table{};                  // of a classifier
  std::vector<data::Batch> batches;     // without what has no loss: empty or over data.max_len
  std::vector<std::string> left_out{};  // what that was, a line a reason

  /// Pairs, or records.
  int64_t size() const { return std::ssize(pairs.source) + std::ssize(table.records); }

  /// What is translated or labeled.
  std::vector<std::string> sources() const;

  /// Ill-formed parts of the files.
  int64_t replaced() const { return pairs.replaced + table.replaced; }
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

/// What is computed beside the scores that training logs.
struct MoreScores {
  bool ter = false;
  bool breakdown = false;  // scores by length and, where they are given, by unknown words
  std::vector<int64_t> unknown_words{};  // of each source
  int64_t top_k = 0;  // share of texts whose label is among the k most probable; 0: without
  int64_t ece_bins = 15;
  int64_t samples = 0;  // first lines of a translation, as {source, result, reference}
};

/// Loss over the pairs that have one; exact match, BLEU and chrF over every line:
/// loss, nll, ppl, token_accuracy, exact_match, bleu, bleu_signature, chrf, chrf_signature,
/// sentences, target_tokens, seconds; where wanted also ter, ter_signature, and breakdown: lists
/// `length` and `unknown` of {from, to, sentences, bleu, chrf, ter}; `to` is included, and null in
/// the last; `samples`. None where `stop` says so.
std::optional<config::Json> evaluate_translation(const EvaluationSet& set,
                                                 train::Objective& objective,
                                                 const LossOptions& options,
                                                 const pipeline::Translator& translator,
                                                 const MoreScores& more = {});

/// loss, nll, ppl, accuracy, macro_f1, ece, brier, confidence, per_class, labels,
/// confusion[label][prediction], sentences, seconds; where wanted also top_k, top_k_accuracy, and
/// breakdown, whose lists hold accuracy. Empty texts, which get no label, are left out of all of
/// them.
std::optional<config::Json> evaluate_classification(const EvaluationSet& set,
                                                    train::Objective& objective,
                                                    const LossOptions& options,
                                                    const pipeline::Labeler& labeler,
                                                    const std::vector<std::string>& labels,
                                                    const MoreScores& more = {});

}  // namespace heed::cli
