#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eval/bootstrap.h"

namespace heed::cli {

/// The score of one side, and what resamples say about it where there were any.
struct SideScore {
  double score = 0.0;
  std::optional<eval::Confidence> confidence{};
};

/// What one metric says.
struct MetricResult {
  std::string key;   // in JSON
  std::string name;  // as a person writes it
  SideScore system;
  std::optional<SideScore> baseline{};  // of the translations compared with
  double p_value = 1.0;                 // of the difference between the two
  std::string details{};                // what the score is made of
  std::string signature;
};

struct ScoreReport {
  std::vector<MetricResult> results;
  int64_t sentences = 0;
  eval::Resampling resampling{};  // where scores have a confidence
  std::string system{};           // files
  std::string baseline{};
};

/// One JSON object: for each metric KEY and KEY_signature, after resampling also KEY_mean and
/// KEY_ci (half the width of the 95 % interval), samples and seed, and after a comparison
/// KEY_p_value and `baseline`, an object of the same keys.
std::string score_json(const ScoreReport& report);

/// A line a metric, as sacreBLEU prints it.
std::string score_lines(const ScoreReport& report);

/// Two systems side by side, in 80 columns.
std::string score_table(const ScoreReport& report);

}  // namespace heed::cli
