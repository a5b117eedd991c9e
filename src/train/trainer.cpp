#include "train/trainer.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/signals.h"
#include "train/due.h"
#include "train/micro_batches.h"
#include "train/schedule.h"

namespace heed::train {
namespace {

constexpr int64_t kMostRollbacks = 5;
constexpr double kRollbackFactor = 0.5;

bool reached(int64_t count, int64_t limit) { return limit > 0 && count >= limit; }

}  // namespace

Trainer::Trainer(Objective& objective, BatchSource& source, const config::Run& config,
                 torch::Device device, Hooks hooks)
    : objective_(objective),
      source_(source),
      config_(config),
      hooks_(std::move(hooks)),
      updater_(objective, progress_, config, device),
      average_(updater_.optimizer().parameters(), config.train.ema) {}

void Trainer::resume(const checkpoint::Checkpoint& checkpoint, const std::string& where,
                     const Reset& reset) {
  auto& optimizer = updater_.optimizer();
  const bool needed = !reset.optimizer || config_.train.ema > 0.0;
  if (needed && checkpoint.optimizer.empty() && !optimizer.state().empty()) {
    throw CheckpointError(fmt::format(
        "{}: is not there, so no training goes on from it as before{}", where,
        reset.optimizer ? "; train.ema needs the weights it keeps" : "; try --reset optimizer"));
  }
  auto state = checkpoint.optimizer;
  average_.load_state(state, where);
  if (!reset.optimizer) optimizer.load_state(state, where);
  progress_ = checkpoint.progress;
  if (reset.schedule) {
    progress_.schedule_start = progress_.step;
    progress_.lr_scale = 1.0;
  }
  if (reset.data) progress_.epoch = progress_.batch = 0;
  saved_step_ = progress_.step;
  seconds_before_ = progress_.seconds;
}

void Trainer::run() {
  began_ = std::chrono::steady_clock::now();
  objective_.module().train();
  while (true) {
    try {
      if (advance()) return;
    } catch (const DivergenceError& error) {
      if (!roll_back(error.what())) throw;
    }
  }
}

/// What is due, and an update; whether the training is over.
bool Trainer::advance() {
  if (evaluation_due()) evaluate();
  const int signal = SignalWatch::caught();  // asked once: what comes later waits for the next step
  if (save_due() || (signal != 0 && unsaved())) save(/*last=*/signal != 0 || done());
  if (signal != 0) throw Stopped{signal};
  if (done()) return true;
  take_step();
  return false;
}

/// Goes back to the last checkpoint, with half the rate from there; the time that went by counts.
bool Trainer::roll_back(const std::string& fault) {
  if (config_.train.on_divergence != "rollback" || !hooks_.roll_back) return false;
  if (rollbacks_ == kMostRollbacks) return false;
  count_seconds();
  const double seconds = progress_.seconds;
  const double scale = progress_.lr_scale;
  const auto last = hooks_.roll_back();
  if (!last) return false;
  resume(*last, "the last checkpoint");
  ++rollbacks_;
  progress_.lr_scale = scale * kRollbackFactor;
  seconds_before_ = progress_.seconds = seconds;
  began_ = std::chrono::steady_clock::now();
  note(fmt::format("rollback to step {}, at {} of the rate: {}", progress_.step, progress_.lr_scale,
                   fault));
  return true;
}

void Trainer::take_step() {
  Stopwatch whole, waiting;
  if (progress_.batch >= source_.batches(progress_.epoch)) {  // of a run that saw fewer before
    ++progress_.epoch;
    progress_.batch = 0;
  }
  const auto epoch = progress_.epoch;
  const auto micro_batches = split(source_.batch(epoch, progress_.batch), config_.train.accumulate);
  const double data_seconds = waiting.lap();
  auto report = step(micro_batches);
  report.phases.data = data_seconds;
  const auto batches = source_.batches(epoch);
  report.epoch_share = static_cast<double>(++progress_.batch) / static_cast<double>(batches);
  if (progress_.batch >= batches) {
    ++progress_.epoch;
    progress_.batch = 0;
  }
  count_seconds();
  report.epoch = epoch + 1;
  report.seconds = progress_.seconds;
  report.step_seconds = whole.lap();
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
  auto plan = config_.train;  // from where the schedule began
  if (plan.max_steps > 0) plan.max_steps -= progress_.schedule_start;
  const double lr =
      progress_.lr_scale *
      learning_rate(plan, config_.model.d_model, step - progress_.schedule_start, share_done());
  const auto report = updater_.step(micro_batches, lr, last_checkpoint());
  if (!report.skipped) average_.update(step);
  return report;
}

void Trainer::evaluate() {
  const auto score = [&] {
    const WeightAverage::Shown shown(average_);
    return hooks_.evaluate(progress_);
  }();
  if (!score) return;
  const bool better =
      std::isfinite(*score) &&
      (progress_.best_step == 0 || *score > progress_.best_score + config_.train.min_delta);
  if (config_.train.schedule == "plateau") lower_rate(better);
  best_before_ = {progress_.best_step, progress_.best_score};
  if (better) {
    progress_.best_score = *score;
    progress_.best_step = progress_.step;
  }
  progress_.bad_evaluations = better ? 0 : progress_.bad_evaluations + 1;
  progress_.score = std::isfinite(*score) ? *score : std::numeric_limits<double>::lowest();
  progress_.evaluated_step = progress_.step;
  saved_step_ = -1;  // after a stop between update and evaluation, best.json has to learn of it
}

/// After plateau_patience evaluations without a better score the rate is a fraction of what it was.
void Trainer::lower_rate(bool better) {
  progress_.lr_evaluations = better ? 0 : progress_.lr_evaluations + 1;
  if (progress_.lr_evaluations < config_.train.plateau_patience) return;
  progress_.lr_scale *= config_.train.plateau_factor;
  progress_.lr_evaluations = 0;
}

void Trainer::save(bool last) {
  count_seconds();
  auto optimizer = updater_.optimizer().state();
  try {
    const WeightAverage::Shown shown(average_);
    optimizer.merge(average_.state());
    hooks_.save({.model = checkpoint::named_tensors(objective_.module()),
                 .optimizer = std::move(optimizer),
                 .progress = progress_});
  } catch (const std::filesystem::filesystem_error& error) {
    if (last) throw;
    note(fmt::format("not saved: {}: {}; the training goes on", error.path1().string(),
                     error.code().message()));
    if (progress_.best_step == progress_.step) forget_best();
    return;
  }
  saved_step_ = progress_.step;
  rollbacks_ = 0;
}

/// The best weights could not be kept; those before are the best there are.
void Trainer::forget_best() {
  progress_.best_step = best_before_.step;
  progress_.best_score = best_before_.score;
}

void Trainer::note(const std::string& message) const {
  if (hooks_.note) hooks_.note(message);
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

}  // namespace heed::train
