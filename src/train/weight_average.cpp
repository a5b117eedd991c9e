#include "train/weight_average.h"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"

namespace heed::train {

WeightAverage::WeightAverage(std::vector<Parameter> parameters, double decay)
    : parameters_(std::move(parameters)), decay_(decay) {
  if (decay_ == 0.0) return;
  for (const auto& [name, value] : parameters_) other_.push_back(value.detach().clone());
}

void WeightAverage::update(int64_t step) {
  const torch::NoGradGuard no_grad;
  const auto n = static_cast<double>(step);
  const double decay = std::min(decay_, (1.0 + n) / (10.0 + n));
  for (std::size_t i = 0; i < other_.size(); ++i)
    other_[i].lerp_(parameters_[i].value, 1.0 - decay);
}

void WeightAverage::swap() {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < other_.size(); ++i) {
    auto value = parameters_[i].value;  // exchanged by value: others hold views of the weights
    const auto kept = value.detach().clone();
    value.copy_(other_[i]);
    other_[i].copy_(kept);
  }
}

checkpoint::NamedTensors WeightAverage::state() const {
  checkpoint::NamedTensors state;
  for (std::size_t i = 0; i < other_.size(); ++i) {
    state["weight." + parameters_[i].name] = other_[i];
  }
  return state;
}

void WeightAverage::load_state(checkpoint::NamedTensors& state, const std::string& where) {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < other_.size(); ++i) {
    auto value = parameters_[i].value;
    const auto found = state.extract("weight." + parameters_[i].name);
    if (found.empty() || found.mapped().sizes() != value.sizes()) {
      throw CheckpointError(fmt::format("{}: 'weight.{}', which train.ema needs, is {}", where,
                                        parameters_[i].name,
                                        found.empty() ? "missing" : "of another shape"));
    }
    other_[i].copy_(value);
    value.copy_(found.mapped());
  }
}

}  // namespace heed::train
