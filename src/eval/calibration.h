#pragma once

#include <cstdint>
#include <vector>

namespace heed::eval {

/// Texts whose confidence falls into one stretch of (0, 1].
struct CalibrationBin {
  int64_t texts = 0;
  double confidence = 0.0;  // mean; 0 where there is no text
  double accuracy = 0.0;
};

/// How far a classifier's probabilities can be believed.
struct Calibration {
  double ece = 0.0;         // in [0, 1]
  double brier = 0.0;       // in [0, 2]
  double confidence = 0.0;  // mean probability of the predicted labels
  std::vector<CalibrationBin> bins;
};

/// Expected calibration error (Naeini et al., 2015): the mean distance between confidence, the
/// probability of the predicted label, and accuracy, in bins of equal width with their upper bound
/// included (Guo et al., 2017). Brier score (Brier, 1950): the mean squared distance between
/// probabilities and the right label's 1, over all labels. The first of equally probable labels is
/// the predicted one. No text gives zeros.
///   probabilities: [texts][labels]   labels: [texts], ids
/// Throws std::logic_error where the lengths differ or an id is no label.
Calibration calibration(const std::vector<std::vector<double>>& probabilities,
                        const std::vector<int64_t>& labels, int64_t bins);

/// Share of texts, in [0, 1], whose label is among the k most probable ones; of equally probable
/// labels the first go first. No text gives 0. Throws as calibration does.
double top_k_accuracy(const std::vector<std::vector<double>>& probabilities,
                      const std::vector<int64_t>& labels, int64_t k);

}  // namespace heed::eval
