#include "eval/chrf.h"

#include <string_view>

#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"
#include "eval/ngrams.h"
#include "eval/unicode.h"
#include "eval/word_numbers.h"

namespace heed::eval {
namespace {

constexpr int kCharOrder = 6;
constexpr int kBeta = 2;  // recall weighs beta times as much as precision

bool is_ascii_punctuation(char32_t c) {
  return c < 0x80 &&
         std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(static_cast<char>(c)) !=
             std::string_view::npos;
}

/// Words, each with one punctuation mark split off: the last one, or else the first.
std::vector<std::u32string_view> words(std::u32string_view text) {
  std::vector<std::u32string_view> out;
  for (const auto word : split(text)) {
    const auto last = word.size() - 1;
    if (last > 0 && is_ascii_punctuation(word.back())) {
      out.insert(out.end(), {word.substr(0, last), word.substr(last)});
    } else if (last > 0 && is_ascii_punctuation(word.front())) {
      out.insert(out.end(), {word.substr(0, 1), word.substr(1)});
    } else {
      out.push_back(word);
    }
  }
  return out;
}

/// Appends hypothesis, reference and shared n-grams of each order.
void count_ngrams(const std::u32string& hypothesis, const std::u32string& reference, int orders,
                  std::vector<double>& counts) {
  const auto shared = shared_ngrams(hypothesis, {&reference, 1}, orders);
  for (int n = 1; n <= orders; ++n) {
    const auto there = ngrams(reference.size(), n);
    const auto ours = there > 0 ? ngrams(hypothesis.size(), n) : 0;  // else there's nothing to hit
    counts.insert(counts.end(), {static_cast<double>(ours), static_cast<double>(there),
                                 static_cast<double>(shared[n - 1])});
  }
}

/// Precision and recall are averaged over the orders that both sides have, then joined.
template <typename Number>
Number f_score(std::span<const Number> counts) {
  Number precision = 0;
  Number recall = 0;
  Number orders = 0;
  for (std::size_t i = 0; i < counts.size(); i += 3) {
    const auto hypothesis = counts[i];
    const auto reference = counts[i + 1];
    if (hypothesis == 0 || reference == 0) continue;
    precision += counts[i + 2] / hypothesis;
    recall += counts[i + 2] / reference;
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  constexpr Number kFactor = kBeta * kBeta;
  return 100 * ((1 + kFactor) * precision * recall / (kFactor * precision + recall));
}

}  // namespace

std::string ChrfMetric::name() const {
  return fmt::format("chrF{}{}", kBeta, std::string(options_.word_order, '+'));
}

std::string ChrfMetric::options() const {
  return fmt::format("case:{}|eff:yes|nc:{}|nw:{}|space:no", options_.lowercase ? "lc" : "mixed",
                     kCharOrder, options_.word_order);
}

std::size_t ChrfMetric::width() const { return 3 * (kCharOrder + options_.word_order); }

std::vector<double> ChrfMetric::count(const std::string& hypothesis,
                                      std::span<const std::string> references) const {
  const auto text = [&](const std::string& line) {
    return code_points(options_.lowercase ? lower(line) : line);
  };
  const auto ours = text(hypothesis);
  std::vector<double> best;
  double best_score = -1.0;
  for (const auto& reference : references) {
    const auto theirs = text(reference);
    std::vector<double> counts;
    count_ngrams(without_spaces(ours), without_spaces(theirs), kCharOrder, counts);
    if (options_.word_order > 0) {
      WordNumbers numbers;
      const auto numbered = numbers.of(words(ours));
      count_ngrams(numbered, numbers.of(words(theirs)), options_.word_order, counts);
    }
    const auto fit = score(counts);
    if (fit <= best_score) continue;
    best_score = fit;
    best = std::move(counts);
  }
  return best;
}

double ChrfMetric::score(std::span<const double> counts) const { return f_score(counts); }
double ChrfMetric::score(std::span<const float> counts) const { return f_score(counts); }

double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references, const ChrfOptions& options) {
  const ChrfMetric metric(options);
  return metric.score(sum(metric, count_lines(metric, hypotheses, {&references, 1})));
}

std::string chrf_signature(const ChrfOptions& options) { return signature(ChrfMetric(options)); }

}  // namespace heed::eval
