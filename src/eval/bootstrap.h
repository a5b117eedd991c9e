#pragma once

#include <span>
#include <vector>

#include "eval/metric.h"

namespace heed::eval {

/// What resamples say about a score: its mean, and half the width of the interval around it that
/// holds 95 % of them.
struct Confidence {
  double mean = 0.0;
  double interval = 0.0;
};

/// Scores of bootstrap resamples of the lines (Koehn, 2004). Equal to sacreBLEU 2.6.0's to the
/// last bit: the same lines are drawn, and summed in single precision. The same `resampling` draws
/// the same lines for every metric and system. counts: of one line or more, less than 2^32.
class Bootstrap {
 public:
  Bootstrap(const Metric& metric, const Counts& counts, const Resampling& resampling);

  const std::vector<double>& scores() const { return scores_; }
  Confidence confidence() const;

 private:
  friend double paired_p_value(const Bootstrap& one, const Bootstrap& other, double difference);

  std::vector<double> scores_;
  bool single_;
};

/// How probable a difference of scores as great as `difference` (>= 0, of the whole corpora) is
/// where both systems are equally good: paired bootstrap test as sacreBLEU's --paired-bs. Both are
/// of the same metric, lines and resampling.
double paired_p_value(const Bootstrap& one, const Bootstrap& other, double difference);

}  // namespace heed::eval
