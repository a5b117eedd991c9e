#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/out_of_memory.h"
#include "base/signals.h"
#include "train/autocast.h"
#include "train/clip.h"
#include "train/micro_batches.h"
#include "train/precision.h"
#include "train/schedule.h"

namespace heed::train {
namespace {

AdamOptions adam_options(const config::Train& config) {
  return {.beta1 = config.adam_betas.at(0),
          .beta2 = config.adam_betas.at(1),
          .eps = config.adam_eps,
          .weight_decay = config.weight_decay,
          .decoupled = config.optimizer == "adamw"};
}

bool reached(int64_t count, int64_t limit) { return limit > 0 && count >= limit; }

bool due(int64_t step, int64_t every) { return every > 0 && step % every == 0; }

/// Share of ids that are padding.
double padding_of(const std::vector<data::Batch>& batches) {
  double real = 0.0, all = 0.0;
  for (const auto& batch : batches) {
    real += static_cast<double>(batch.source_tokens + batch.target_tokens);
    all += static_cast<double>(batch.source.numel());
    if (batch.target_out.defined()) all += static_cast<double>(batch.target_out.numel());
  }
  return all == 0.0 ? 0.0 : 1.0 - real / all;
}

}  // namespace

/// Of one step, on the device.
struct Trainer::Sums {
  torch::Tensor loss, nll, correct;  // float64 []
};

Trainer::Trainer(Objective& objective, BatchSource& source, const config::Run& config,
                 torch::Device device, Hooks hooks)
    : objective_(objective),
      source_(source),
      config_(config),
      device_(device),
      precision_(pick_precision(config.train.precision, device)),
      hooks_(std::move(hooks)),
      optimizer_(parameters_of(objective.module()), adam_options(config.train)) {}

void Trainer::resume(const checkpoint::Checkpoint& checkpoint, const std::string& where) {
  if (checkpoint.optimizer.empty()) {
    throw CheckpointError(
        fmt::format("{}: holds no optimizer state, so no training can go on from it", where));
  }
  optimizer_.load_state(checkpoint.optimizer, where);
  progress_ = checkpoint.progress;
  saved_step_ = progress_.step;
  seconds_before_ = progress_.seconds;
}

void Trainer::run() {
  began_ = std::chrono::steady_clock::now();
  objective_.module().train();
  while (true) {
    if (evaluation_due()) evaluate();
    const int signal =
        SignalWatch::caught();  // asked once: what comes later waits for the next step
    if (save_due() || (signal != 0 && unsaved())) save();
    if (signal != 0) throw Stopped{signal};
    if (done()) return;
    take_step();
  }
}

void Trainer::take_step() {
  const auto begin = std::chrono::steady_clock::now();
  if (progress_.batch >= source_.batches(progress_.epoch)) {  // of a run that saw fewer before
    ++progress_.epoch;
    progress_.batch = 0;
  }
  const auto epoch = progress_.epoch;
  const auto batch = source_.batch(epoch, progress_.batch);
  auto report = step(split(batch, config_.train.accumulate));
  const auto batches = source_.batches(epoch);
  report.epoch_share = static_cast<double>(++progress_.batch) / static_cast<double>(batches);
  if (progress_.batch >= batches) {
    ++progress_.epoch;
    progress_.batch = 0;
  }
  count_seconds();
  report.epoch = epoch + 1;
  report.seconds = progress_.seconds;
  report.step_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (hooks_.step) hooks_.step(report);
}

void Trainer::count_seconds() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
  progress_.seconds = seconds_before_ + elapsed.count();
}

/// Without the steps, whose decay the schedule counts itself.
double Trainer::share_done() const {
  const auto& limits = config_.train;
  double epochs = 0.0;
  if (limits.max_epochs > 0) {
    epochs = static_cast<double>(progress_.epoch) +
             static_cast<double>(progress_.batch) /
                 static_cast<double>(source_.batches(progress_.epoch));
  }
  return train::share_done(limits, 0.0, epochs, progress_.seconds);
}

StepReport Trainer::step(const std::vector<data::Batch>& micro_batches) {
  const int64_t step = progress_.step + 1;
  const double lr = learning_rate(config_.train, config_.model.d_model, step, share_done());
  int64_t predictions = 0, tokens = 0;
  for (const auto& batch : micro_batches) {
    predictions += objective_.predictions(batch);
    tokens += objective_.tokens(batch);
  }
  optimizer_.zero_grad();
  const auto sums = accumulate(micro_batches, predictions);
  const auto grads = optimizer_.gradients();
  const auto fetched = torch::stack({sums.loss, sums.nll, sums.correct,
                                     global_norm(grads).to(device_, torch::kFloat64)})
                           .cpu();  // the wait for the device
  const double loss = fetched[0].item<double>();
  const double grad_norm = fetched[3].item<double>();
  if (!std::isfinite(loss) || !std::isfinite(grad_norm)) throw_diverged(step, loss);

  if (predictions > 0) {
    clip(grads, grad_norm, config_.train.clip_norm);
    optimizer_.step(lr);
  }
  progress_.step = step;
  const auto count = static_cast<double>(std::max<int64_t>(predictions, 1));
  return {
      .step = step,
      .loss = loss / count,
      .nll = fetched[1].item<double>() / count,
      .accuracy = fetched[2].item<double>() / count,
      .lr = lr,
      .grad_norm = grad_norm,
      .tokens = tokens,
      .padding = padding_of(micro_batches),
  };
}

Trainer::Sums Trainer::accumulate(const std::vector<data::Batch>& micro_batches,
                                  int64_t predictions) {
  const auto zero = torch::zeros({}, torch::dtype(torch::kFloat64).device(device_));
  Sums sums{zero.clone(), zero.clone(), zero.clone()};
  for (const auto& batch : micro_batches) {
    if (objective_.predictions(batch) == 0) continue;
    try {
      const nn::Noise noise{.seed = static_cast<uint64_t>(config_.seed),
                            .step = progress_.step + 1,
                            .examples = batch.examples};
      LossSums part;
      {
        const Autocast autocast(device_.type(), precision_);
        part = objective_.forward(batch.to(device_), &noise);
      }
      (part.loss / static_cast<double>(predictions)).backward();
      sums.loss += part.loss.detach();
      sums.nll += part.nll.detach();
      sums.correct += part.correct;
    } catch (const std::exception& error) {
      if (out_of_memory(error)) throw_out_of_memory(batch);
      throw;
    }
  }
  return sums;
}

void Trainer::evaluate() {
  const auto score = hooks_.evaluate(progress_);
  if (!score) return;
  const bool better =
      std::isfinite(*score) && (progress_.best_step == 0 || *score > progress_.best_score);
  if (better) {
    progress_.best_score = *score;
    progress_.best_step = progress_.step;
  }
  progress_.bad_evaluations = better ? 0 : progress_.bad_evaluations + 1;
  progress_.score = std::isfinite(*score) ? *score : std::numeric_limits<double>::lowest();
  progress_.evaluated_step = progress_.step;
  saved_step_ = -1;  // after a stop between update and evaluation, best.json has to learn of it
}

void Trainer::save() {
  count_seconds();
  hooks_.save({.model = checkpoint::named_tensors(objective_.module()),
               .optimizer = optimizer_.state(),
               .progress = progress_});
  saved_step_ = progress_.step;
}

bool Trainer::done() const {
  const auto& limits = config_.train;
  return reached(progress_.step, limits.max_steps) || reached(progress_.epoch, limits.max_epochs) ||
         (limits.max_seconds > 0.0 && progress_.seconds >= limits.max_seconds) ||
         reached(progress_.bad_evaluations, limits.patience);
}

bool Trainer::evaluation_due() const {
  if (!hooks_.evaluate || progress_.step == 0 || SignalWatch::caught() != 0) return false;
  if (progress_.evaluated_step == progress_.step) return false;
  return due(progress_.step, config_.train.eval_every) || done();
}

bool Trainer::save_due() const {
  return unsaved() && (due(progress_.step, config_.checkpoint.every) || done() ||
                       progress_.evaluated_step == progress_.step);
}

bool Trainer::unsaved() const {
  return hooks_.save && progress_.step > 0 && saved_step_ != progress_.step;
}

std::string Trainer::last_checkpoint() const {
  return hooks_.last_checkpoint ? hooks_.last_checkpoint() : "none";
}

void Trainer::throw_diverged(int64_t step, double loss) const {
  std::string what =
      std::isfinite(loss) ? "the norm of the gradients overflows" : "the loss is not finite";
  for (const auto& [name, value] : optimizer_.parameters()) {
    if (!value.grad().defined() || torch::isfinite(value.grad()).all().item<bool>()) continue;
    what = fmt::format("the gradient of '{}' is not finite", name);
    break;
  }
  throw DivergenceError(fmt::format(
      "step {}: {}; no weight was changed; the last good checkpoint: {}; try a smaller train.lr or "
      "train.clip_norm",
      step, what, last_checkpoint()));
}

void Trainer::throw_out_of_memory(const data::Batch& batch) const {
  throw Error(fmt::format(
      "step {}: out of memory with {} texts of {} tokens{}; try a smaller train.batch_tokens or a "
      "larger train.accumulate; the last good checkpoint: {}",
      progress_.step + 1, batch.source.size(0), batch.source.size(1),
      batch.target_out.defined() ? fmt::format(" and targets of {}", batch.target_out.size(1)) : "",
      last_checkpoint()));
}

}  // namespace heed::train
