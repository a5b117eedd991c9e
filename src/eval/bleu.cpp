#include "eval/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "eval/bleu_tokenize.h"
#include "eval/ngrams.h"
#include "eval/unicode.h"
#include "eval/word_numbers.h"

namespace heed::eval {
namespace {

constexpr std::size_t kOrders = 4;
constexpr std::size_t kCorrect = 2;  // where these counts begin in a row
constexpr std::size_t kTotal = kCorrect + kOrders;
constexpr double kLogOfZero = -9999999999.0;  // sacreBLEU's, so that exp gives 0

/// The shorter one of two that are equally near.
std::size_t nearest_length(std::size_t length, std::span<const std::u32string> references) {
  const auto distance = [&](std::size_t other) {
    return std::max(length, other) - std::min(length, other);
  };
  auto nearest = references.front().size();
  for (const auto& reference : references) {
    const auto one = std::pair(distance(reference.size()), reference.size());
    if (one < std::pair(distance(nearest), nearest)) nearest = reference.size();
  }
  return nearest;
}

double brevity_penalty(int64_t hypothesis_words, int64_t reference_words) {
  if (hypothesis_words >= reference_words) return 1.0;
  if (hypothesis_words == 0) return 0.0;
  return std::exp(1.0 - static_cast<double>(reference_words) / hypothesis_words);
}

/// Fills in the precisions. -> how many orders have n-grams at all
template <typename Number>
std::size_t smoothed_precisions(std::span<const Number> counts, Bleu& bleu) {
  Number divisor = 1;
  std::size_t n = 0;
  for (; n < kOrders && counts[kTotal + n] > 0; ++n) {
    const auto correct = counts[kCorrect + n];
    const auto total = counts[kTotal + n];
    if (correct == 0) divisor *= 2;
    bleu.precisions[n] = correct == 0 ? 100 / (divisor * total) : 100 * correct / total;
  }
  return n;
}

template <typename Number>
Bleu bleu_of(std::span<const Number> counts, bool effective_order) {
  Bleu bleu{.hypothesis_words = static_cast<int64_t>(counts[0]),
            .reference_words = static_cast<int64_t>(counts[1])};
  for (std::size_t n = 0; n < kOrders; ++n) {
    bleu.correct[n] = static_cast<int64_t>(counts[kCorrect + n]);
    bleu.total[n] = static_cast<int64_t>(counts[kTotal + n]);
  }
  bleu.brevity_penalty = brevity_penalty(bleu.hypothesis_words, bleu.reference_words);
  if (std::ranges::all_of(bleu.correct, [](int64_t correct) { return correct == 0; })) return bleu;

  const auto orders = smoothed_precisions(counts, bleu);
  const auto used = effective_order ? orders : kOrders;
  double logs = 0.0;
  for (std::size_t n = 0; n < used; ++n) {
    logs += bleu.precisions[n] == 0.0 ? kLogOfZero : std::log(bleu.precisions[n]);
  }
  bleu.score = bleu.brevity_penalty * std::exp(logs / static_cast<double>(used));
  return bleu;
}

}  // namespace

BleuMetric::BleuMetric(BleuOptions options) : options_(std::move(options)) {}

std::string BleuMetric::options() const {
  return fmt::format("case:{}|eff:{}|tok:{}|smooth:exp", options_.lowercase ? "lc" : "mixed",
                     options_.effective_order ? "yes" : "no", options_.tokenize);
}

std::vector<double> BleuMetric::count(const std::string& hypothesis,
                                      std::span<const std::string> references) const {
  WordNumbers numbers;
  const auto words = [&](const std::string& line) {
    return numbers.of(bleu_tokenize(options_.tokenize, options_.lowercase ? lower(line) : line));
  };
  const auto own = words(hypothesis);
  std::vector<std::u32string> others;
  for (const auto& reference : references) others.push_back(words(reference));

  std::vector<double> counts{static_cast<double>(own.size()),
                             static_cast<double>(nearest_length(own.size(), others))};
  const auto correct = shared_ngrams(own, others, kOrders);
  counts.insert(counts.end(), correct.begin(), correct.end());
  for (std::size_t n = 1; n <= kOrders; ++n) {
    counts.push_back(static_cast<double>(ngrams(own.size(), n)));
  }
  return counts;
}

double BleuMetric::score(std::span<const double> counts) const { return details(counts).score; }

double BleuMetric::score(std::span<const float> counts) const {
  return bleu_of(counts, options_.effective_order).score;
}

Bleu BleuMetric::details(std::span<const double> counts) const {
  return bleu_of(counts, options_.effective_order);
}

Bleu corpus_bleu(const std::vector<std::string>& hypotheses,
                 const std::vector<std::string>& references, const BleuOptions& options) {
  const BleuMetric metric(options);
  return metric.details(sum(metric, count_lines(metric, hypotheses, {&references, 1})));
}

Bleu sentence_bleu(const std::string& hypothesis, const std::string& reference,
                   const BleuOptions& options) {
  auto effective = options;
  effective.effective_order = true;
  return corpus_bleu({hypothesis}, {reference}, effective);
}

std::string bleu_signature(const BleuOptions& options) { return signature(BleuMetric(options)); }

}  // namespace heed::eval
