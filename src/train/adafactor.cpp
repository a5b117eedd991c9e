#include "train/adafactor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::train {
namespace {

constexpr double kTiny = std::numeric_limits<float>::epsilon();

/// fp32 [], on the device.
torch::Tensor root_mean_square(const torch::Tensor& x) {
  return x.norm() / std::sqrt(static_cast<double>(x.numel()));
}

/// Mean of the squares along one dimension, which stays with size 1.
torch::Tensor mean_square(const torch::Tensor& x, int64_t dim) {
  return x.square().mean(dim, /*keepdim=*/true);
}

}  // namespace

Adafactor::Adafactor(std::vector<Parameter> parameters, const AdafactorOptions& options)
    : Optimizer(std::move(parameters)), options_(options) {
  const torch::NoGradGuard no_grad;
  for (const auto& [name, value] : this->parameters()) {
    Moments moments{.row = {}, .column = {}, .variance = {}, .step = torch::zeros({})};
    if (value.dim() > 1) {
      moments.row = torch::zeros_like(value.select(-1, 0)).unsqueeze(-1);     // [.., R, 1]
      moments.column = torch::zeros_like(value.select(-2, 0)).unsqueeze(-2);  // [.., 1, C]
    } else {
      moments.variance = torch::zeros_like(value);
    }
    moments_.push_back(std::move(moments));
  }
}

void Adafactor::step(double lr) {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    auto value = parameters()[i].value;
    const auto& grad = value.grad();
    if (!grad.defined()) continue;
    auto& moments = moments_[i];
    const double step = moments.step.add_(1).item<double>();
    const double rate = std::min(lr, 1.0 / std::sqrt(step));
    const auto scale = root_mean_square(value).clamp_min(options_.scale_floor) * rate;

    if (options_.weight_decay > 0.0 && value.dim() > 1) {
      value.mul_(1.0 - lr * options_.weight_decay);
    }
    const auto estimate = second_moment(moments, grad, std::pow(step, options_.decay_power));
    const auto update = estimate.clamp_min(kTiny * kTiny).rsqrt().mul_(grad);
    const auto excess = (root_mean_square(update) / options_.clip).clamp_min(1.0);
    value.sub_(update * (scale / excess));
  }
}

/// weight: of the newest square in the moving mean
torch::Tensor Adafactor::second_moment(Moments& moments, const torch::Tensor& grad,
                                       double weight) const {
  if (grad.dim() < 2) return moments.variance.lerp_(grad.square(), weight);
  moments.row.lerp_(mean_square(grad, -1), weight);
  moments.column.lerp_(mean_square(grad, -2), weight);
  const auto mean = moments.row.mean(-2, /*keepdim=*/true).clamp_min(kTiny);  // [.., 1, 1]
  return torch::matmul(moments.row, moments.column) / mean;
}

checkpoint::NamedTensors Adafactor::state() const {
  checkpoint::NamedTensors state;
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    const auto& name = parameters()[i].name;
    state["step." + name] = moments_[i].step;
    if (moments_[i].variance.defined()) {
      state["variance." + name] = moments_[i].variance;
    } else {
      state["row." + name] = moments_[i].row;
      state["column." + name] = moments_[i].column;
    }
  }
  return state;
}

}  // namespace heed::train
