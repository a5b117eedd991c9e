#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace heed::train {
namespace {

/// Updates of the run that fall under the decay, at least one; 0: none.
double decaying_steps(const config::Train& config) {
  if (config.decay_steps == 0.0 || config.max_steps == 0) return 0.0;
  const auto steps = static_cast<double>(config.max_steps);
  return std::clamp(config.decay_steps < 1.0 ? config.decay_steps * steps : config.decay_steps, 1.0,
                    steps);
}

double decay(const config::Train& config, double step) {
  const double steps = decaying_steps(config);
  if (steps == 0.0) return 1.0;
  return std::clamp((static_cast<double>(config.max_steps) - step + 1.0) / steps, 0.0, 1.0);
}

}  // namespace

double learning_rate(const config::Train& config, int64_t d_model, int64_t step) {
  if (step < 1) throw std::logic_error("the first step is 1");
  const auto n = static_cast<double>(step);
  const auto warmup = static_cast<double>(std::max<int64_t>(config.warmup_steps, 1));
  const double factor = config.lr * decay(config, n);
  if (config.schedule == "noam") {
    const double width = std::pow(static_cast<double>(d_model), -0.5);
    return factor * width * std::min(std::pow(n, -0.5), n * std::pow(warmup, -1.5));
  }
  if (config.schedule == "inverse_sqrt") {
    return factor * std::min(n / warmup, std::sqrt(warmup / n));
  }
  if (config.schedule == "constant") return factor * std::min(n / warmup, 1.0);
  throw std::logic_error("schedule '" + config.schedule + "' has no formula");
}

}  // namespace heed::train
