#include "eval/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "eval/numpy_random.h"

namespace heed::eval {
namespace {

/// NumPy's sum: eight sums side by side for up to 128 numbers, halves for more.
template <typename Number>
Number pairwise_sum(std::span<const Number> numbers) {
  const auto count = numbers.size();
  if (count > 128) {
    const auto half = count / 2 - count / 2 % 8;
    return pairwise_sum(numbers.first(half)) + pairwise_sum(numbers.subspan(half));
  }
  Number sum = 0;
  std::size_t i = 0;
  if (count >= 8) {
    std::array<Number, 8> s{};
    for (; i + 8 <= count; i += 8) {
      for (std::size_t k = 0; k < 8; ++k) s[k] += numbers[i + k];
    }
    sum = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  }
  for (; i < count; ++i) sum += numbers[i];
  return sum;
}

template <typename Number>
Number mean(const std::vector<Number>& numbers) {
  return pairwise_sum(std::span<const Number>(numbers)) / static_cast<Number>(numbers.size());
}

template <typename Number>
Confidence confidence_of(const std::vector<double>& scores) {
  std::vector<Number> sorted(scores.begin(), scores.end());
  std::ranges::sort(sorted);
  const auto cut = sorted.size() / 40;
  const auto average = mean(sorted);
  return {.mean = average,
          .interval = Number(0.5) * (sorted[sorted.size() - cut - 1] - sorted[cut])};
}

template <typename Number>
double p_value_of(const std::vector<double>& one, const std::vector<double>& other,
                  double difference) {
  std::vector<Number> differences;
  for (std::size_t i = 0; i < one.size(); ++i) {
    differences.push_back(std::abs(static_cast<Number>(one[i]) - static_cast<Number>(other[i])));
  }
  const auto average = mean(differences);
  const auto greater = std::ranges::count_if(
      differences, [&](Number d) { return d - average > static_cast<Number>(difference); });
  return static_cast<double>(greater + 1) / static_cast<double>(one.size() + 1);
}

/// Rows of counts one behind the other, in single precision.
std::vector<float> flat(const Counts& counts) {
  std::vector<float> out;
  for (const auto& row : counts) out.insert(out.end(), row.begin(), row.end());
  return out;
}

}  // namespace

Bootstrap::Bootstrap(const Metric& metric, const Counts& counts, const Resampling& resampling)
    : single_(metric.single_precision()) {
  const auto rows = flat(counts);
  const auto width = metric.width();
  const auto lines = static_cast<uint32_t>(counts.size());
  NumpyRandom random(resampling.seed);
  std::vector<float> sums(width);
  for (int64_t sample = 0; sample < resampling.samples; ++sample) {
    std::ranges::fill(sums, 0.0F);
    for (uint32_t drawn = 0; drawn < lines; ++drawn) {
      const auto* row = rows.data() + random.below(lines) * width;
      for (std::size_t i = 0; i < width; ++i) sums[i] += row[i];
    }
    scores_.push_back(metric.score(std::span<const float>(sums)));
  }
}

Confidence Bootstrap::confidence() const {
  return single_ ? confidence_of<float>(scores_) : confidence_of<double>(scores_);
}

double paired_p_value(const Bootstrap& one, const Bootstrap& other, double difference) {
  return one.single_ ? p_value_of<float>(one.scores_, other.scores_, difference)
                     : p_value_of<double>(one.scores_, other.scores_, difference);
}

}  // namespace heed::eval
