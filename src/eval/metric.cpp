#include "eval/metric.h"

#include <numeric>
#include <stdexcept>

#include <spdlog/fmt/fmt.h>

namespace heed::eval {

std::string signature(const Metric& metric, std::size_t references, const Resampling* resampling) {
  auto text = fmt::format("nrefs:{}|", references);
  if (resampling != nullptr) {
    text += fmt::format("bs:{}|seed:{}|", resampling->samples, resampling->seed);
  }
  return text + metric.options() + "|version:2.6.0";
}

Counts count_lines(const Metric& metric, const std::vector<std::string>& hypotheses,
                   std::span<const std::vector<std::string>> references) {
  if (references.empty()) throw std::logic_error("count_lines: no references");
  for (const auto& file : references) {
    if (file.size() == hypotheses.size()) continue;
    throw std::logic_error(
        fmt::format("count_lines: {} hypotheses, {} references", hypotheses.size(), file.size()));
  }
  Counts counts;
  std::vector<std::string> of_line(references.size());
  for (std::size_t line = 0; line < hypotheses.size(); ++line) {
    for (std::size_t r = 0; r < references.size(); ++r) of_line[r] = references[r][line];
    counts.push_back(metric.count(hypotheses[line], of_line));
  }
  return counts;
}

std::vector<double> sum(const Metric& metric, const Counts& counts) {
  std::vector<std::size_t> all(counts.size());
  std::iota(all.begin(), all.end(), 0);
  return sum(metric, counts, all);
}

std::vector<double> sum(const Metric& metric, const Counts& counts,
                        const std::vector<std::size_t>& places) {
  std::vector<double> sums(metric.width());
  for (const auto place : places) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counts[place][i];
  }
  return sums;
}

}  // namespace heed::eval
