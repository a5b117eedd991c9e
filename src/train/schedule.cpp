#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace heed::train {
namespace {

/// The factor of decay_steps updates before max_steps.
double decay_by_steps(const config::Train& config, double step) {
  if (config.decay_steps == 0.0 || config.max_steps == 0) return 1.0;
  const auto all = static_cast<double>(config.max_steps);
  const double decaying = std::clamp(
      config.decay_steps < 1.0 ? config.decay_steps * all : config.decay_steps, 1.0, all);
  return std::clamp((all - step + 1.0) / decaying, 0.0, 1.0);
}

/// The same where time or epochs end the run.
double decay_by_share(const config::Train& config, double share) {
  if (config.decay_steps == 0.0 || config.decay_steps >= 1.0) return 1.0;
  return std::clamp((1.0 - share) / config.decay_steps, 0.0, 1.0);
}

/// How far linear and cosine have fallen, in [0, 1).
double fallen(const config::Train& config, double step, double share) {
  if (config.max_steps == 0) return std::clamp(share, 0.0, 1.0);
  const auto warmup = static_cast<double>(std::min(config.warmup_steps, config.max_steps));
  const double left = static_cast<double>(config.max_steps) + 1.0 - warmup;
  return std::clamp(std::max((step - warmup) / left, share), 0.0, 1.0);
}

double done_of(double count, double limit) { return limit > 0.0 ? count / limit : 0.0; }

}  // namespace

double share_done(const config::Train& limits, double steps, double epochs, double seconds) {
  return std::max({done_of(steps, static_cast<double>(limits.max_steps)),
                   done_of(epochs, static_cast<double>(limits.max_epochs)),
                   done_of(seconds, limits.max_seconds)});
}

double learning_rate(const config::Train& config, int64_t d_model, int64_t step, double share) {
  if (step < 1) throw std::logic_error("the first step is 1");
  const auto n = static_cast<double>(step);
  const auto warmup = static_cast<double>(std::max<int64_t>(config.warmup_steps, 1));
  const double factor =
      config.lr * std::min(decay_by_steps(config, n), decay_by_share(config, share));
  if (config.schedule == "noam") {
    const double width = std::pow(static_cast<double>(d_model), -0.5);
    return factor * width * std::min(std::pow(n, -0.5), n * std::pow(warmup, -1.5));
  }
  if (config.schedule == "inverse_sqrt") {
    return factor * std::min(n / warmup, std::sqrt(warmup / n));
  }
  const double risen = std::min(n / warmup, 1.0);
  if (config.schedule == "constant" || config.schedule == "plateau") return factor * risen;
  if (config.schedule == "linear") return factor * std::min(risen, 1.0 - fallen(config, n, share));
  if (config.schedule == "cosine") {
    const double cosine = std::cos(std::numbers::pi * fallen(config, n, share));
    return factor * std::min(risen, (1.0 + cosine) / 2.0);
  }
  throw std::logic_error("schedule '" + config.schedule + "' has no formula");
}

}  // namespace heed::train
