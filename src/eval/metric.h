#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heed::eval {

/// Bootstrap resamples: so many corpora of the same number of lines, drawn with replacement.
struct Resampling {
  int64_t samples = 1000;
  uint64_t seed = 12345;  // sacreBLEU's, of NumPy's default generator
};

/// A score of texts against their references, equal to sacreBLEU 2.6.0. What it counts in lines
/// adds up to what it counts in a corpus.
class Metric {
 public:
  virtual ~Metric() = default;

  virtual std::string name() const = 0;     // as sacreBLEU prints it: BLEU, chrF2++, TER
  virtual std::string options() const = 0;  // the middle of its signature: case:mixed|eff:no|...

  /// The counts of one line, `width` of them. references: of this line, one or more.
  virtual std::size_t width() const = 0;
  virtual std::vector<double> count(const std::string& hypothesis,
                                    std::span<const std::string> references) const = 0;

  /// The score, in percent, of the counts of one line or their sum over many.
  virtual double score(std::span<const double> counts) const = 0;

  /// The same in the arithmetic of sacreBLEU's resamples, whose counts are in single precision.
  virtual double score(std::span<const float> counts) const = 0;

  /// Whether that arithmetic gives a score in single precision.
  virtual bool single_precision() const = 0;
};

/// What a reader needs to get the number again, as sacreBLEU prints it:
/// nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
std::string signature(const Metric& metric, std::size_t references = 1,
                      const Resampling* resampling = nullptr);

/// One row of counts a line.
using Counts = std::vector<std::vector<double>>;

/// hypotheses: a line each. references: of one or more files, [file][line]. Throws std::logic_error
/// where the numbers of lines differ or there is no file.
Counts count_lines(const Metric& metric, const std::vector<std::string>& hypotheses,
                   std::span<const std::vector<std::string>> references);

/// The counts of all lines together, and those of the lines at `places`.
std::vector<double> sum(const Metric& metric, const Counts& counts);
std::vector<double> sum(const Metric& metric, const Counts& counts,
                        const std::vector<std::size_t>& places);

}  // namespace heed::eval
