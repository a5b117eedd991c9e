#include "bench/phases.h"

#include <algorithm>

namespace heed::bench {
namespace {

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

TimedObjective::TimedObjective(train::Objective& inner) : inner_(inner) {
  for (const auto& parameter : inner.module().parameters()) {
    hooks_.emplace_back(parameter, parameter.register_hook(
                                       [this](const torch::Tensor&) { gradient_ = Clock::now(); }));
  }
}

TimedObjective::~TimedObjective() {
  for (const auto& [parameter, hook] : hooks_) parameter.remove_hook(hook);
}

void TimedObjective::begin_step() {
  phases_ = {};
  last_ = gradient_ = Clock::now();
}

void TimedObjective::batch_is_there() {
  const auto now = Clock::now();
  phases_.data = seconds(now - last_);
  last_ = gradient_ = now;
}

train::LossSums TimedObjective::forward(const data::Batch& batch, const nn::Noise* noise) {
  phases_.backward += seconds(gradient_ - last_);  // of the micro-batch before
  const auto begin = std::max(last_, gradient_);
  auto sums = inner_.forward(batch, noise);
  last_ = gradient_ = Clock::now();
  phases_.forward += seconds(last_ - begin);
  return sums;
}

Phases TimedObjective::end_step() {
  phases_.backward += seconds(gradient_ - last_);
  phases_.update = seconds(Clock::now() - gradient_);
  return phases_;
}

}  // namespace heed::bench
