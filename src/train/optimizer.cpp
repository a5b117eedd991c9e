#include "train/optimizer.h"

#include <set>
#include <utility>

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"

namespace heed::train {

std::vector<Parameter> parameters_of(const torch::nn::Module& module) {
  std::vector<Parameter> parameters;
  std::set<const void*> seen;  // a tied tensor is one object under several names
  for (const auto& item : module.named_parameters()) {
    if (!item.value().requires_grad()) continue;
    if (!seen.insert(item.value().unsafeGetTensorImpl()).second) continue;
    parameters.push_back({.name = item.key(), .value = item.value()});
  }
  return parameters;
}

Adam::Adam(std::vector<Parameter> parameters, const AdamOptions& options)
    : parameters_(std::move(parameters)), options_(options) {
  const torch::NoGradGuard no_grad;
  for (const auto& [name, value] : parameters_) {
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
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& value = parameters_[i].value;
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

void Adam::zero_grad() {
  for (auto& [name, value] : parameters_) value.mutable_grad().reset();
}

std::vector<torch::Tensor> Adam::gradients() const {
  std::vector<torch::Tensor> grads;
  for (const auto& [name, value] : parameters_) {
    if (value.grad().defined()) grads.push_back(value.grad());
  }
  return grads;
}

checkpoint::NamedTensors Adam::state() const {
  checkpoint::NamedTensors state;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& name = parameters_[i].name;
    state["exp_avg." + name] = moments_[i].first;
    state["exp_avg_sq." + name] = moments_[i].second;
    state["step." + name] = moments_[i].step;
  }
  return state;
}

void Adam::load_state(const checkpoint::NamedTensors& loaded, const std::string& where) {
  auto left = loaded;
  std::vector<std::pair<torch::Tensor, torch::Tensor>> copies;  // to, from
  for (const auto& [name, to] : state()) {
    const auto found = left.extract(name);
    if (found.empty()) throw CheckpointError(fmt::format("{}: '{}' is missing", where, name));
    const auto& from = found.mapped();
    if (from.sizes() != to.sizes()) {
      throw CheckpointError(fmt::format("{}: '{}' is [{}], but the optimizer's is [{}]", where,
                                        name, fmt::join(from.sizes(), ", "),
                                        fmt::join(to.sizes(), ", ")));
    }
    copies.emplace_back(to, from);
  }
  if (!left.empty()) {
    throw CheckpointError(
        fmt::format("{}: '{}' is not in the optimizer", where, left.begin()->first));
  }
  const torch::NoGradGuard no_grad;
  for (auto& [to, from] : copies) to.copy_(from);
}

}  // namespace heed::train
