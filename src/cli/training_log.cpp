#include "cli/training_log.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "base/first_few.h"
#include "base/log.h"
#include "bench/memory.h"
#include "checkpoint/weight_hashes.h"
#include "cli/progress_bar.h"
#include "train/schedule.h"

namespace heed::cli {
namespace {

using config::Json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::size_t kNamed = 3;   // of tensors in a line
constexpr double kSmoothing = 0.1;  // of the rate that the bar shows

/// NaN where a score is not finite.
double number(const Json& scores, const char* key) {
  const auto found = scores.find(key);
  const bool there = found != scores.end() && found->is_number();
  return there ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string scores_text(const Json& scores) {
  auto text =
      fmt::format("| loss {:4.2f} | ppl {:.1f} ", number(scores, "loss"), number(scores, "ppl"));
  if (scores.contains("bleu")) {
    text += fmt::format("| bleu {:.1f} | exact {:.1f} % ", number(scores, "bleu"),
                        100.0 * number(scores, "exact_match"));
  }
  if (scores.contains("accuracy")) {
    text += fmt::format("| accuracy {:.1f} % ", 100.0 * number(scores, "accuracy"));
  }
  return text;
}

}  // namespace

TrainingLog::TrainingLog(const std::filesystem::path& run, const config::Run& config, int64_t step)
    : config_(config),
      file_(run / "metrics.jsonl"),
      hashes_file_(run / "weights.jsonl"),
      began_(Clock::now()) {
  rolled_back(step);
  if (config.log.tensorboard) events_.emplace(run / "tensorboard");
}

TrainingLog::~TrainingLog() { log::status(""); }

void TrainingLog::note(const std::string& message) {
  log::info(message);
  metrics_->write({{"event", "note"}, {"message", message}});
}

void TrainingLog::step(const train::StepReport& report) {
  if (report.skipped) {
    note(fmt::format("skipped  the update of step {}: fp16 overflows; the loss scale is halved",
                     report.step));
    return;
  }
  tokens_ += report.tokens;
  seconds_ += report.step_seconds;
  phases_ += report.phases;
  const double now = static_cast<double>(report.tokens) / std::max(report.step_seconds, 1e-9);
  rate_ = rate_ == 0.0 ? now : (1.0 - kSmoothing) * rate_ + kSmoothing * now;
  if (report.step % config_.log.every == 0) log_step(report);
  if (!report.tensors.empty()) log_tensors(report);
  draw_bar(report);
}

void TrainingLog::log_step(const train::StepReport& report) {
  const double rate = static_cast<double>(tokens_) / std::max(seconds_, 1e-9);
  const auto phases = std::exchange(phases_, {});
  tokens_ = 0;
  seconds_ = 0.0;
  metrics_->write({{"event", "step"},
                   {"step", report.step},
                   {"epoch", report.epoch},
                   {"loss", report.loss},
                   {"nll", report.nll},
                   {"ppl", report.ppl()},
                   {"lr", report.lr},
                   {"grad_norm", report.grad_norm},
                   {"target_tokens", report.tokens},
                   {"tokens_per_second", rate},
                   {"padding", report.padding},
                   {"peak_memory_mb", std::round(bench::peak_memory_mb())},
                   {"phases",
                    {{"data", phases.data},
                     {"forward", phases.forward},
                     {"backward", phases.backward},
                     {"update", phases.update}}},
                   {"seconds", report.seconds}});
  if (events_) {
    events_->write(report.step, {{"train/loss", report.loss},
                                 {"train/nll", report.nll},
                                 {"train/lr", report.lr},
                                 {"train/grad_norm", report.grad_norm},
                                 {"train/tokens_per_second", rate}});
  }
  log::info(
      fmt::format("step  {} | loss {:5.2f} | ppl {:6.1f} | lr {:.1e} | grad {:5.2f} | {:>5} tok/s",
                  place(report.step), report.loss, report.ppl(), report.lr, report.grad_norm,
                  short_count(rate)));
}

void TrainingLog::log_tensors(const train::StepReport& report) {
  Json norms = Json::object(), ratios = Json::object();
  std::vector<std::string> long_ones;
  const double limit = config_.log.grad_norm_warn;
  for (const auto& tensor : report.tensors) {
    norms[tensor.name] = tensor.grad_norm;
    ratios[tensor.name] = tensor.update_ratio;
    if (limit > 0.0 && tensor.grad_norm > limit) {
      long_ones.push_back(fmt::format("{} {:.1f}", tensor.name, tensor.grad_norm));
    }
  }
  metrics_->write({{"event", "tensors"},
                   {"step", report.step},
                   {"grad_norm", std::move(norms)},
                   {"update_ratio", std::move(ratios)}});
  if (long_ones.empty()) return;
  note(fmt::format("watch    step {}: gradients longer than {} (log.grad_norm_warn): {}",
                   report.step, limit, first_few(std::move(long_ones), kNamed)));
}

void TrainingLog::watched(int64_t step, const std::vector<inspect::HeadHealth>& heads) {
  auto list = Json::array();
  for (const auto& head : heads) {
    list.push_back({{"kind", head.kind},
                    {"layer", head.layer},
                    {"head", head.head},
                    {"entropy", head.entropy},
                    {"diagonal", head.diagonal},
                    {"first", head.first},
                    {"end", head.end},
                    {"padding", head.padding},
                    {"largest", head.largest},
                    {"one_key", head.one_key}});
  }
  metrics_->write({{"event", "attention"}, {"step", step}, {"heads", std::move(list)}});
  const auto before = std::exchange(suspected_, {});
  for (const auto& [about, text] : inspect::attention_warnings(heads, config_.model)) {
    suspected_.insert(about);
    if (!before.contains(about) || !warned_.insert(about).second) continue;
    note(fmt::format("watch    step {}: {}", step, text));
  }
}

void TrainingLog::rolled_back(int64_t step) {
  metrics_.reset();
  metrics_.emplace(file_, step);
  hashes_.reset();
  hashes_.emplace(hashes_file_, step);
}

void TrainingLog::evaluated(int64_t step, const Json& scores) {
  Json line{{"event", "eval"}, {"step", step}};
  line.update(scores);
  metrics_->write(line);
  pending_ = fmt::format("valid {} {}", place(step), scores_text(scores));
  if (!events_) return;
  std::vector<std::pair<std::string, double>> scalars;
  for (const auto& [key, value] : scores.items()) {
    if (value.is_number()) scalars.emplace_back("valid/" + key, value.get<double>());
  }
  events_->write(step, scalars);
}

void TrainingLog::saved(const checkpoint::Checkpoint& checkpoint) {
  const auto& progress = checkpoint.progress;
  hashes_->write({{"step", progress.step}, {"tensors", checkpoint::hashes_of(checkpoint.model)}});
  const auto* best = progress.best_step == progress.step ? " (best)" : "";
  log::info(pending_.empty()
                ? fmt::format("saved {} | step-{:06}{}", place(progress.step), progress.step, best)
                : fmt::format("{}| saved{}", pending_, best));
  pending_.clear();
}

void TrainingLog::draw_bar(const train::StepReport& report) {
  if (!log::on_terminal() || Clock::now() - drawn_ < kRedraw) return;
  drawn_ = Clock::now();
  const double done = share(report);
  if (!first_share_) {
    first_share_ = done;
    began_ = drawn_;
  }
  const std::chrono::duration<double> elapsed = drawn_ - began_;
  log::status(bar_line({.share = done,
                        .what = fmt::format("step {}", report.step),
                        .rate = rate_,
                        .seconds_left = elapsed.count() * (1.0 - done) / (done - *first_share_)}));
}

double TrainingLog::share(const train::StepReport& report) const {
  const auto epochs = static_cast<double>(report.epoch - 1) + report.epoch_share;
  return train::share_done(config_.train, static_cast<double>(report.step), epochs, report.seconds);
}

std::string TrainingLog::place(int64_t step) const {
  const auto last = config_.train.max_steps;
  return last > 0 ? fmt::format("{:>5}/{}", step, last) : fmt::format("{:>6}", step);
}

}  // namespace heed::cli
