#include "train/sgd.h"

#include <utility>

namespace heed::train {

Sgd::Sgd(std::vector<Parameter> parameters, const SgdOptions& options)
    : Optimizer(std::move(parameters)), options_(options) {
  if (options_.momentum == 0.0) return;
  for (const auto& [name, value] : this->parameters())
    velocity_.push_back(torch::zeros_like(value));
}

void Sgd::step(double lr) {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    auto value = parameters()[i].value;
    auto change = value.grad();
    if (!change.defined()) continue;
    if (options_.weight_decay > 0.0 && value.dim() > 1) {
      change = change.add(value, options_.weight_decay);
    }
    if (!velocity_.empty()) change = velocity_[i].mul_(options_.momentum).add_(change);
    value.add_(change, -lr);
  }
}

checkpoint::NamedTensors Sgd::state() const {
  checkpoint::NamedTensors state;
  for (std::size_t i = 0; i < velocity_.size(); ++i) {
    state["momentum." + parameters()[i].name] = velocity_[i];
  }
  return state;
}

}  // namespace heed::train
