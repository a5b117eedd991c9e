#include "train/updater.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include <ATen/ops/_foreach_mul.h>
#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/first_few.h"
#include "base/out_of_memory.h"
#include "train/autocast.h"
#include "train/clip.h"
#include "train/due.h"
#include "train/first_non_finite.h"
#include "train/micro_batches.h"
#include "train/precision.h"
#include "train/tensor_watch.h"

namespace heed::train {
namespace {

constexpr std::size_t kNamedLines = 8;

/// Memory ran out in this micro-batch.
struct OutOfMemory {
  data::Batch batch;
};

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

/// Each in two, where it has two rows.
std::vector<data::Batch> halves(const std::vector<data::Batch>& batches) {
  std::vector<data::Batch> out;
  for (const auto& batch : batches) {
    for (auto& half : split(batch, 2)) out.push_back(std::move(half));
  }
  return out;
}

std::string shape_of(const data::Batch& batch) {
  const auto targets = batch.target_out.defined()
                           ? fmt::format(" and targets of {}", batch.target_out.size(1))
                           : std::string();
  return fmt::format("{} texts of {} tokens{}", batch.size(), batch.source.size(1), targets);
}

/// The lines of a step's texts, counted from 1: "lines 3, 17 and 60 more".
std::string lines_of(const std::vector<data::Batch>& batches) {
  std::vector<std::string> lines;
  for (const auto& batch : batches) {
    for (int64_t row = 0; row < batch.size(); ++row) {
      lines.push_back(std::to_string(batch.examples[row].item<int64_t>() + 1));
    }
  }
  return "lines " + first_few(std::move(lines), kNamedLines);
}

}  // namespace

/// Of one step, on the device.
struct Updater::Sums {
  torch::Tensor loss, nll, correct;  // float64 []
};

Updater::Updater(Objective& objective, checkpoint::Progress& progress, const config::Run& config,
                 torch::Device device)
    : objective_(objective),
      progress_(progress),
      config_(config),
      device_(device),
      precision_(pick_precision(config.train.precision, device)),
      scale_(progress, precision_ == torch::kHalf),
      optimizer_(make_optimizer(config.train, parameters_of(objective.module()))) {}

StepReport Updater::step(std::vector<data::Batch> micro_batches, double lr,
                         const std::string& last) {
  StepReport report{.step = progress_.step + 1, .lr = lr, .padding = padding_of(micro_batches)};
  Stopwatch whole;
  phases_ = {};
  int64_t predictions = 0;
  for (const auto& batch : micro_batches) {
    predictions += objective_.predictions(batch);
    report.tokens += objective_.tokens(batch);
  }
  const auto sums = gradients_in_memory(micro_batches, predictions, last);
  const auto grads = optimizer_->gradients();
  if (scale_.active() && !grads.empty()) at::_foreach_mul_(grads, 1.0 / scale_.value());
  const auto fetched = torch::stack({sums.loss, sums.nll, sums.correct,
                                     global_norm(grads).to(device_, torch::kFloat64)})
                           .cpu();  // the wait for the device
  const auto count = static_cast<double>(std::max<int64_t>(predictions, 1));
  report.loss = fetched[0].item<double>() / count;
  report.nll = fetched[1].item<double>() / count;
  report.accuracy = fetched[2].item<double>() / count;
  report.grad_norm = fetched[3].item<double>();
  if (!std::isfinite(report.loss) || !std::isfinite(report.grad_norm)) {
    if (!scale_.active() || scale_.exhausted()) {
      throw_diverged(micro_batches, predictions, report.loss, last);
    }
    scale_.shrink();
    report.skipped = true;
    return report;
  }
  if (predictions > 0) {
    std::optional<TensorWatch> watch;
    if (due(report.step, config_.log.watch_every)) watch.emplace(optimizer_->parameters());
    clip(grads, report.grad_norm, config_.train.clip_norm);
    optimizer_->step(lr);
    if (watch) report.tensors = watch->reports();
  }
  scale_.grow();
  progress_.step = report.step;
  report.phases = phases_;
  report.phases.update = whole.lap() - phases_.forward - phases_.backward;
  return report;
}

/// Gradients of the whole step; in more parts than asked for, where memory needs it and the config
/// allows it.
Updater::Sums Updater::gradients_in_memory(std::vector<data::Batch>& micro_batches,
                                           int64_t predictions, const std::string& last) {
  while (true) {
    try {
      return gradients_of(micro_batches, predictions);
    } catch (const OutOfMemory& fault) {
      if (config_.train.on_oom != "split" || fault.batch.size() < 2) {
        throw Error(fmt::format(
            "step {}: out of memory with {}; try a smaller train.batch_tokens, a larger "
            "train.accumulate, or train.on_oom split; the last good checkpoint: {}",
            progress_.step + 1, shape_of(fault.batch), last));
      }
      micro_batches = halves(micro_batches);
    }
  }
}

Updater::Sums Updater::gradients_of(const std::vector<data::Batch>& micro_batches,
                                    int64_t predictions) {
  optimizer_->zero_grad();
  const auto zero = torch::zeros({}, torch::dtype(torch::kFloat64).device(device_));
  Sums sums{zero.clone(), zero.clone(), zero.clone()};
  for (const auto& batch : micro_batches) {
    if (objective_.predictions(batch) == 0) continue;
    try {
      add_gradients(batch, predictions, sums);
    } catch (const std::exception& error) {
      if (out_of_memory(error)) throw OutOfMemory{batch};
      throw;
    }
  }
  return sums;
}

void Updater::add_gradients(const data::Batch& batch, int64_t predictions, Sums& sums) {
  const nn::Noise noise{.seed = static_cast<uint64_t>(config_.seed),
                        .step = progress_.step + 1,
                        .examples = batch.examples};
  LossSums part;
  Stopwatch watch;
  {
    const Autocast autocast(device_.type(), precision_);
    part = objective_.forward(batch.to(device_), &noise);
  }
  phases_.forward += watch.lap();
  (part.loss / static_cast<double>(predictions) * scale_.value()).backward();
  phases_.backward += watch.lap();
  sums.loss += part.loss.detach();
  sums.nll += part.nll.detach();
  sums.correct += part.correct;
}

void Updater::throw_diverged(const std::vector<data::Batch>& micro_batches, int64_t predictions,
                             double loss, const std::string& last) {
  std::string what =
      std::isfinite(loss) ? "the norm of the gradients overflows" : "the loss is not finite";
  for (const auto& [name, value] : optimizer_->parameters()) {
    if (!value.grad().defined() || torch::isfinite(value.grad()).all().item<bool>()) continue;
    what = fmt::format("the gradient of '{}' is not finite", name);
    break;
  }
  // The step once more, watched: dropout is the same, so the fault is.
  const auto fault =
      first_non_finite(objective_.module(), [&] { gradients_of(micro_batches, predictions); });
  if (!fault.empty()) what += "; first in " + fault;
  throw DivergenceError(fmt::format(
      "step {}: {}; {}; no weight was changed; the last good checkpoint: {}; try a smaller "
      "train.lr or train.clip_norm{}",
      progress_.step + 1, what, lines_of(micro_batches), last,
      scale_.active() ? ", or train.precision fp32" : ""));
}

}  // namespace heed::train
