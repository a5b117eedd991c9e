#pragma once

#include <span>
#include <string>
#include <vector>

#include "eval/metric.h"

namespace heed::eval {

struct ChrfOptions {
  int word_order = 0;  // 0: chrF2; 2: chrF2++, which counts words and word pairs too
  bool lowercase = false;
};

/// chrF (Popović, 2015) and chrF++ (Popović, 2017): F-score of character 1-grams to 6-grams without
/// white space, recall counting double. A line counts, for each order, the n-grams of the
/// hypothesis, of the reference it fits best, and those in both. Both sides empty gives 0.
class ChrfMetric final : public Metric {
 public:
  explicit ChrfMetric(ChrfOptions options = {}) : options_(options) {}

  std::string name() const override;
  std::string options() const override;
  std::size_t width() const override;
  std::vector<double> count(const std::string& hypothesis,
                            std::span<const std::string> references) const override;
  double score(std::span<const double> counts) const override;
  double score(std::span<const float> counts) const override;
  bool single_precision() const override { return true; }

 private:
  ChrfOptions options_;
};

/// Of a corpus with one reference a line. Throws std::logic_error where the numbers of lines
/// differ.
double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references, const ChrfOptions& options = {});

/// nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0
std::string chrf_signature(const ChrfOptions& options = {});

}  // namespace heed::eval
