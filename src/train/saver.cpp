#include "train/saver.h"

#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"

namespace heed::train {
namespace {

void check_finite(const checkpoint::NamedTensors& tensors, int64_t step, const std::string& last) {
  for (const auto& [name, tensor] : tensors) {
    if (!tensor.is_floating_point() || torch::isfinite(tensor).all().item<bool>()) continue;
    throw DivergenceError(fmt::format(
        "step {}: '{}' is not finite, so it is not saved; the last good checkpoint: {}; try a "
        "smaller train.lr",
        step, name, last));
  }
}

}  // namespace

Saver::Saver(std::filesystem::path run, config::Run config)
    : run_(std::move(run)), config_(std::move(config)) {}

void Saver::save(const checkpoint::Checkpoint& checkpoint) {
  const auto& progress = checkpoint.progress;
  const auto dir = checkpoint::step_directory(run_, progress.step);
  if (!std::filesystem::exists(dir)) {
    check_finite(checkpoint.model, progress.step, last());
    check_finite(checkpoint.optimizer, progress.step, last());
    checkpoint::save(dir, checkpoint, config_);
  }
  checkpoint::point(run_, "last", progress.step, std::nullopt);
  if (progress.best_step == progress.step && progress.step > 0) {
    checkpoint::point(run_, "best", progress.step, progress.best_score);
  }
  checkpoint::prune(run_, config_.checkpoint.keep_last, config_.checkpoint.keep_best);
}

std::string Saver::last() const {
  const auto steps = checkpoint::saved_steps(run_);
  return steps.empty() ? "none" : checkpoint::step_directory(run_, steps.back()).string();
}

}  // namespace heed::train
