#include "eval/ter.h"

#include <algorithm>
#include <limits>

#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"
#include "eval/edit_rate.h"
#include "eval/word_numbers.h"

namespace heed::eval {
namespace {

const char* yes_or_no(bool yes) { return yes ? "yes" : "no"; }

/// sacreBLEU tokenizes references twice, which normalization shows: points that stand together are
/// parted one by one.
std::vector<std::u32string> reference_words(const std::string& line, const TerOptions& options) {
  const auto words = ter_tokenize(line, options);
  if (!options.normalized) return words;
  std::string again;
  for (const auto& word : words) again += to_utf8(word) + " ";
  return ter_tokenize(again, options);
}

/// Edits where there is nothing to edit into count as one for each word that is too many.
template <typename Number>
Number rate(std::span<const Number> counts) {
  const auto edits = counts[0];
  const auto words = counts[1];
  if (words > 0) return 100 * (edits / words);
  return edits > 0 ? 100 : 0;
}

}  // namespace

std::string TerMetric::options() const {
  return fmt::format("case:{}|tok:tercom|norm:{}|punct:{}|asian:{}",
                     options_.case_sensitive ? "mixed" : "lc", yes_or_no(options_.normalized),
                     yes_or_no(!options_.no_punct), yes_or_no(options_.asian_support));
}

std::vector<double> TerMetric::count(const std::string& hypothesis,
                                     std::span<const std::string> references) const {
  WordNumbers numbers;
  const auto words = numbers.of(ter_tokenize(hypothesis, options_));
  auto fewest = std::numeric_limits<int64_t>::max();
  double length = 0.0;
  for (const auto& reference : references) {
    const auto others = numbers.of(reference_words(reference, options_));
    fewest = std::min(fewest, edits(words, others));
    length += static_cast<double>(others.size());
  }
  return {static_cast<double>(fewest), length / static_cast<double>(references.size())};
}

double TerMetric::score(std::span<const double> counts) const { return rate(counts); }
double TerMetric::score(std::span<const float> counts) const { return rate(counts); }

double corpus_ter(const std::vector<std::string>& hypotheses,
                  const std::vector<std::string>& references, const TerOptions& options) {
  const TerMetric metric(options);
  return metric.score(sum(metric, count_lines(metric, hypotheses, {&references, 1})));
}

std::string ter_signature(const TerOptions& options) { return signature(TerMetric(options)); }

}  // namespace heed::eval
