#include "eval/calibration.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <spdlog/fmt/fmt.h>

namespace heed::eval {
namespace {

using Probabilities = std::vector<std::vector<double>>;

void check(const Probabilities& probabilities, const std::vector<int64_t>& labels) {
  if (probabilities.size() != labels.size()) {
    throw std::logic_error(fmt::format("calibration: {} rows of probabilities, {} labels",
                                       probabilities.size(), labels.size()));
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0 && labels[i] < std::ssize(probabilities[i])) continue;
    throw std::logic_error(
        fmt::format("calibration: label {} of {}", labels[i], probabilities[i].size()));
  }
}

/// Bin b holds confidences in (b / bins, (b + 1) / bins].
int64_t bin_of(double confidence, int64_t bins) {
  const auto bin = static_cast<int64_t>(std::ceil(confidence * static_cast<double>(bins))) - 1;
  return std::clamp<int64_t>(bin, 0, bins - 1);
}

double squared_error(const std::vector<double>& probabilities, int64_t label) {
  double error = 0.0;
  for (int64_t i = 0; i < std::ssize(probabilities); ++i) {
    const auto difference = probabilities[i] - (i == label ? 1.0 : 0.0);
    error += difference * difference;
  }
  return error;
}

/// How many labels come before this one.
int64_t rank(const std::vector<double>& probabilities, int64_t label) {
  int64_t before = 0;
  for (int64_t i = 0; i < std::ssize(probabilities); ++i) {
    before += probabilities[i] > probabilities[label] ||
                      (probabilities[i] == probabilities[label] && i < label)
                  ? 1
                  : 0;
  }
  return before;
}

}  // namespace

Calibration calibration(const Probabilities& probabilities, const std::vector<int64_t>& labels,
                        int64_t bins) {
  check(probabilities, labels);
  Calibration out{.bins = std::vector<CalibrationBin>(bins)};
  if (labels.empty()) return out;

  const auto texts = static_cast<double>(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto best = std::ranges::max_element(probabilities[i]);
    auto& bin = out.bins[bin_of(*best, bins)];
    ++bin.texts;
    bin.confidence += *best;
    bin.accuracy += best - probabilities[i].begin() == labels[i] ? 1.0 : 0.0;
    out.confidence += *best / texts;
    out.brier += squared_error(probabilities[i], labels[i]) / texts;
  }
  for (auto& bin : out.bins) {
    if (bin.texts == 0) continue;
    out.ece += std::abs(bin.accuracy - bin.confidence) / texts;
    bin.confidence /= static_cast<double>(bin.texts);
    bin.accuracy /= static_cast<double>(bin.texts);
  }
  return out;
}

double top_k_accuracy(const Probabilities& probabilities, const std::vector<int64_t>& labels,
                      int64_t k) {
  check(probabilities, labels);
  int64_t hits = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    hits += rank(probabilities[i], labels[i]) < k ? 1 : 0;
  }
  return labels.empty() ? 0.0 : static_cast<double>(hits) / static_cast<double>(labels.size());
}

}  // namespace heed::eval
