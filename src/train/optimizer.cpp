#include "train/optimizer.h"

#include <set>
#include <stdexcept>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "train/adafactor.h"
#include "train/adam.h"
#include "train/sgd.h"

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

void Optimizer::zero_grad() {
  for (auto& [name, value] : parameters_) value.mutable_grad().reset();
}

std::vector<torch::Tensor> Optimizer::gradients() const {
  std::vector<torch::Tensor> grads;
  for (const auto& [name, value] : parameters_) {
    if (value.grad().defined()) grads.push_back(value.grad());
  }
  return grads;
}

void Optimizer::load_state(const checkpoint::NamedTensors& loaded, const std::string& where) {
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

std::unique_ptr<Optimizer> make_optimizer(const config::Train& config,
                                          std::vector<Parameter> parameters) {
  const auto& name = config.optimizer;
  if (name == "adam" || name == "adamw") {
    return std::make_unique<Adam>(std::move(parameters),
                                  AdamOptions{.beta1 = config.adam_betas.at(0),
                                              .beta2 = config.adam_betas.at(1),
                                              .eps = config.adam_eps,
                                              .weight_decay = config.weight_decay,
                                              .decoupled = name == "adamw"});
  }
  if (name == "sgd") {
    return std::make_unique<Sgd>(
        std::move(parameters),
        SgdOptions{.momentum = config.momentum, .weight_decay = config.weight_decay});
  }
  if (name == "adafactor") {
    return std::make_unique<Adafactor>(std::move(parameters),
                                       AdafactorOptions{.weight_decay = config.weight_decay});
  }
  throw std::logic_error("no optimizer is called '" + name + "'");
}

}  // namespace heed::train
