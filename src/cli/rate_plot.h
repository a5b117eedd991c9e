#pragma once

#include <string>
#include <vector>

#include "config/train.h"

namespace heed::cli {

/// The learning rate of every update of a run of `steps` updates, in their order.
std::vector<double> planned_rates(const config::Train& config, int64_t d_model, int64_t steps);

/// What a plan like this seldom means: a warm-up over half of the run, a rate of 0, noam with a
/// factor that is another schedule's rate. A line each.
std::vector<std::string> schedule_warnings(const config::Train& config,
                                           const std::vector<double>& rates);

/// The rates as bars of 10 rows within 80 columns, each column the mean of its steps.
std::string rate_plot(const std::vector<double>& rates);

}  // namespace heed::cli
