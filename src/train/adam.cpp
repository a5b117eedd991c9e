#include "train/adam.h"

#include <utility>

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>

namespace heed::train {

Adam::Adam(std::vector<Parameter> parameters, const AdamOptions& options)
    : Optimizer(std::move(parameters)), options_(options) {
  const torch::NoGradGuard no_grad;
  for (const auto& [name, value] : this->parameters()) {
    moments_.push_back({.first = torch::zeros_like(value),
                        .second = torch::zeros_like(value),
                        .step = torch::zeros({}, value.options().dtype(torch::kFloat32))});
  }
}

void Adam::step(double lr) {
  const torch::NoGradGuard no_grad;
  update(/*matrices=*/true, lr);
  update(/*matrices=*/false, lr);
}

void Adam::update(bool matrices, double lr) {
  std::vector<torch::Tensor> weights, grads, firsts, seconds, steps;
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    const auto& value = parameters()[i].value;
    if ((value.dim() > 1) != matrices || !value.grad().defined()) continue;
    weights.push_back(value);
    grads.push_back(value.grad().contiguous());
    firsts.push_back(moments_[i].first);
    seconds.push_back(moments_[i].second);
    steps.push_back(moments_[i].step);
  }
  if (weights.empty()) return;

  at::_foreach_add_(steps, 1);
  const std::vector<torch::Tensor> none;  // what AMSGrad keeps
  const auto fused = [&](auto operation) {
    operation(weights, grads, firsts, seconds, none, steps, lr, options_.beta1, options_.beta2,
              matrices ? options_.weight_decay : 0.0, options_.eps,
              /*amsgrad=*/false, /*maximize=*/false);
  };
  if (options_.decoupled) {
    fused([](auto&&... arguments) { at::_fused_adamw_(arguments...); });
  } else {
    fused([](auto&&... arguments) { at::_fused_adam_(arguments...); });
  }
}

checkpoint::NamedTensors Adam::state() const {
  checkpoint::NamedTensors state;
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    const auto& name = parameters()[i].name;
    state["exp_avg." + name] = moments_[i].first;
    state["exp_avg_sq." + name] = moments_[i].second;
    state["step." + name] = moments_[i].step;
  }
  return state;
}

}  // namespace heed::train
