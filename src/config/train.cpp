#include "config/train.h"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "config/choice.h"

namespace heed::config {
namespace {

void check_betas(const std::string& path, const std::vector<double>& betas) {
  const bool fit = std::ranges::all_of(betas, [](double b) { return b >= 0.0 && b < 1.0; });
  if (betas.size() == 2 && fit) return;
  throw ConfigError(fmt::format("{}.adam_betas: must be two numbers in [0, 1), got [{}]", path,
                                fmt::join(betas, ", ")));
}

void check_decay(const std::string& path, const Train& train) {
  const double steps = train.decay_steps;
  if (steps < 1.0) return;
  if (steps != std::floor(steps)) {
    throw ConfigError(fmt::format(
        "{}.decay_steps: must be a share below 1 or a whole number of steps, got {}", path, steps));
  }
  if (train.max_steps == 0) {
    throw ConfigError(
        fmt::format("{0}.decay_steps: {1} steps before an end that {0}.max_steps must set, which "
                    "is 0; or give a share of the run below 1",
                    path, steps));
  }
}

/// What a schedule follows must be there, and what it does itself must not be asked for twice.
void check_schedule(const std::string& path, const Train& train) {
  if (train.schedule == "plateau" && train.eval_every == 0) {
    throw ConfigError(fmt::format(
        "{0}.schedule: plateau follows the scores of evaluations, and {0}.eval_every is 0", path));
  }
  const bool falls = train.schedule == "linear" || train.schedule == "cosine";
  if (falls && train.decay_steps > 0.0) {
    throw ConfigError(fmt::format("{0}.decay_steps: {1} falls to 0 by itself; leave it out", path,
                                  train.schedule));
  }
}

}  // namespace

void Train::check(const std::string& path) const {
  check_choice(path + ".optimizer", optimizer, {"adam", "adamw", "sgd", "adafactor"});
  check_choice(path + ".schedule", schedule,
               {"noam", "inverse_sqrt", "linear", "cosine", "plateau", "constant"});
  check_choice(path + ".metric", metric,
               {"auto", "loss", "ppl", "bleu", "chrf", "exact_match", "token_accuracy", "accuracy",
                "macro_f1"});
  check_choice(path + ".precision", precision, {"fp32", "bf16", "fp16", "auto"});
  check_choice(path + ".matmul_precision", matmul_precision, {"highest", "high", "medium"});
  check_choice(path + ".on_oom", on_oom, {"stop", "split"});
  check_choice(path + ".on_divergence", on_divergence, {"stop", "rollback"});
  check_betas(path, adam_betas);
  if (max_steps == 0 && max_epochs == 0 && max_seconds == 0.0) {
    throw ConfigError(fmt::format(
        "{}.max_steps: a training needs an end; set this, max_epochs or max_seconds above 0",
        path));
  }
  check_decay(path, *this);
  check_schedule(path, *this);
}

}  // namespace heed::config
