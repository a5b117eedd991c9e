#include "train/tensor_watch.h"

#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_foreach_sub.h>

namespace heed::train {
namespace {

torch::Tensor norms(const std::vector<torch::Tensor>& tensors) {
  return tensors.empty() ? torch::zeros({0}) : torch::stack(at::_foreach_norm(tensors));
}

}  // namespace

TensorWatch::TensorWatch(const std::vector<Parameter>& parameters) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> grads;
  for (const auto& parameter : parameters) {
    if (!parameter.value.grad().defined()) continue;
    parameters_.push_back(parameter);
    before_.push_back(parameter.value.detach().clone());
    grads.push_back(parameter.value.grad());
  }
  grad_norms_ = norms(grads);
}

std::vector<TensorReport> TensorWatch::reports() const {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> values;
  for (const auto& parameter : parameters_) values.push_back(parameter.value.detach());
  if (values.empty()) return {};
  const auto ratios = norms(at::_foreach_sub(values, before_)) / norms(before_).clamp_min(1e-12);
  const auto fetched = torch::stack({grad_norms_, ratios}).cpu().to(torch::kFloat64);

  std::vector<TensorReport> out;
  for (int64_t i = 0; i < std::ssize(parameters_); ++i) {
    out.push_back({.name = parameters_[i].name,
                   .grad_norm = fetched[0][i].item<double>(),
                   .update_ratio = fetched[1][i].item<double>()});
  }
  return out;
}

}  // namespace heed::train
