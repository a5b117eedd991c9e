#include "cli/rate_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

#include <spdlog/fmt/fmt.h>

#include "train/schedule.h"

namespace heed::cli {
namespace {

constexpr std::size_t kRows = 10;
constexpr std::size_t kColumns = 64;
constexpr double kSmallNoamFactor = 0.01;
constexpr std::array kEighths = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

/// Means of neighbors, so that there are `columns` at most.
std::vector<double> in_columns(const std::vector<double>& rates, std::size_t columns) {
  std::vector<double> means;
  columns = std::min(columns, rates.size());
  for (std::size_t i = 0; i < columns; ++i) {
    const auto begin = rates.begin() + static_cast<std::ptrdiff_t>(i * rates.size() / columns);
    const auto end = rates.begin() + static_cast<std::ptrdiff_t>((i + 1) * rates.size() / columns);
    means.push_back(std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin));
  }
  return means;
}

/// Row `row` from the bottom of a bar of `height` rows.
const char* cell(double height, std::size_t row) {
  const double filled = std::clamp(height - static_cast<double>(row), 0.0, 1.0);
  return kEighths.at(static_cast<std::size_t>(std::lround(filled * 8.0)));
}

}  // namespace

std::vector<double> planned_rates(const config::Train& config, int64_t d_model, int64_t steps) {
  std::vector<double> rates;
  for (int64_t step = 1; step <= steps; ++step) {
    // Where time or epochs end the run, its steps are taken to be of one length.
    const double share = config.max_steps > 0 ? 0.0 : static_cast<double>(step - 1) / steps;
    rates.push_back(train::learning_rate(config, d_model, step, share));
  }
  return rates;
}

std::vector<std::string> schedule_warnings(const config::Train& config,
                                           const std::vector<double>& rates) {
  std::vector<std::string> warnings;
  const auto steps = std::ssize(rates);
  if (2 * config.warmup_steps > steps) {
    warnings.push_back(
        fmt::format("train.warmup_steps: {} of {} steps are warm-up; a tenth or less is usual",
                    std::min<int64_t>(config.warmup_steps, steps), steps));
  }
  const auto zeros = std::ranges::count(rates, 0.0);
  if (zeros > 0) {
    warnings.push_back(fmt::format("train.lr: the rate is 0 in {} of {} steps, which learn nothing",
                                   zeros, steps));
  }
  if (config.schedule == "noam" && config.lr < kSmallNoamFactor) {
    warnings.push_back(fmt::format(
        "train.lr: under noam {} is a factor, not a rate; the paper's is 1", config.lr));
  }
  return warnings;
}

std::string rate_plot(const std::vector<double>& rates) {
  const auto columns = in_columns(rates, kColumns);
  const double top = std::ranges::max(columns);
  std::string text;
  for (std::size_t row = kRows; row-- > 0;) {
    text += fmt::format("{:>9} │", row + 1 == kRows ? fmt::format("{:.2g}", top) : "");
    for (const double rate : columns) {
      text += cell(top > 0.0 ? rate / top * static_cast<double>(kRows) : 0.0, row);
    }
    text += '\n';
  }
  text += fmt::format("{:>9} └", 0);
  for (std::size_t i = 0; i < columns.size(); ++i) text += "─";
  const auto last = fmt::format("{}", rates.size());
  const auto width = std::max<std::size_t>(columns.size(), last.size() + 2);
  return text + fmt::format("\n{:>11}{:<{}}{}\n", "", 1, width - last.size(), last);
}

}  // namespace heed::cli
