#pragma once

#include <span>
#include <string>
#include <vector>

#include "eval/metric.h"
#include "eval/ter_tokenize.h"

namespace heed::eval {

/// Translation edit rate (Snover et al., 2006): edits and shifts of words that turn the hypothesis
/// into a reference, in percent of the reference's words; lower is better, and above 100 where
/// there are more edits than words. A line counts the fewest edits and the mean length of its
/// references.
class TerMetric final : public Metric {
 public:
  explicit TerMetric(TerOptions options = {}) : options_(options) {}

  std::string name() const override { return "TER"; }
  std::string options() const override;
  std::size_t width() const override { return 2; }
  std::vector<double> count(const std::string& hypothesis,
                            std::span<const std::string> references) const override;
  double score(std::span<const double> counts) const override;
  double score(std::span<const float> counts) const override;
  bool single_precision() const override { return true; }

 private:
  TerOptions options_;
};

/// Of a corpus with one reference a line. Throws std::logic_error where the numbers of lines
/// differ.
double corpus_ter(const std::vector<std::string>& hypotheses,
                  const std::vector<std::string>& references, const TerOptions& options = {});

/// nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0
std::string ter_signature(const TerOptions& options = {});

}  // namespace heed::eval
