#include "nn/recurrent/cell.h"

#include "nn/precision.h"
#include "nn/recurrent/packing.h"

namespace heed::nn {
namespace {

/// Applies `fill` to the weight of each gate: they are matrices of their own that lie together.
template <typename Fill>
void fill_gates(const torch::Tensor& weight, int64_t gates, const Fill& fill) {
  const torch::NoGradGuard no_grad;
  for (auto gate : weight.chunk(gates)) fill(gate);
}

}  // namespace

CellState CellState::narrow(int64_t rows) const {
  return {.hidden = leading(hidden, rows), .cell = leading(cell, rows)};
}

CellState CellState::select(const torch::Tensor& rows) const {
  return {.hidden = hidden.index_select(0, rows),
          .cell = cell.defined() ? cell.index_select(0, rows) : cell};
}

CellImpl::CellImpl(const CellOptions& options) : options_(options) {
  const int64_t gates = gate_count(options.type);
  const int64_t width = options.width;
  weight_ih_ = register_parameter("weight_ih", torch::empty({gates * width, options.in}));
  weight_hh_ = register_parameter("weight_hh", torch::empty({gates * width, width}));
  bias_ih_ = register_parameter("bias_ih", torch::zeros({gates * width}));
  bias_hh_ = register_parameter("bias_hh", torch::zeros({gates * width}));
  fill_gates(weight_ih_, gates, [&](torch::Tensor& gate) { initialize(gate, options.init); });
  fill_gates(weight_hh_, gates, [](torch::Tensor& gate) { torch::nn::init::orthogonal_(gate); });
  const bool lstm = options.type == CellType::kLstm;
  const torch::NoGradGuard no_grad;
  if (lstm) bias_ih_.narrow(0, width, width).fill_(1.0);
  if (options.layer_norm) {
    norm_ih_ = register_parameter("norm_ih", torch::ones({gates * width}));
    norm_hh_ = register_parameter("norm_hh", torch::ones({gates * width}));
    if (lstm) {
      norm_cell_ = register_parameter("norm_cell", torch::ones({width}));
      bias_cell_ = register_parameter("bias_cell", torch::zeros({width}));
    }
  }
  state_dropout_ = register_module("state_dropout", Dropout(options.state_dropout));
}

torch::Tensor CellImpl::project(const torch::Tensor& x) const {
  if (!norm_ih_.defined()) return widen(torch::linear(x, weight_ih_, bias_ih_));
  const auto product = widen(torch::linear(x, weight_ih_));
  return torch::layer_norm(product, {norm_ih_.size(0)}, norm_ih_, bias_ih_);
}

Recurred CellImpl::forward(const torch::Tensor& gates, const CellState& state,
                           const std::vector<int64_t>& batch_sizes, bool reverse,
                           const torch::Tensor& state_mask) const {
  return recurrence({.type = options_.type,
                     .input = gates,
                     .hidden = state.hidden,
                     .cell = state.cell,
                     .weight = weight_hh_,
                     .bias = bias_hh_,
                     .batch_sizes = batch_sizes,
                     .reverse = reverse,
                     .state_mask = state_mask,
                     .norm_weight = norm_hh_,
                     .cell_norm_weight = norm_cell_,
                     .cell_norm_bias = bias_cell_});
}

torch::Tensor CellImpl::state_mask(int64_t rows, const Noise* noise) const {
  if (state_dropout_->p() == 0.0 || !noise || !is_training()) return {};
  const auto ones = torch::ones({rows, 1, options_.width}, weight_hh_.options());
  return state_dropout_->forward(ones, noise).squeeze(1).detach();
}

CellState CellImpl::zeros(int64_t rows) const {
  const auto none = torch::zeros({rows, options_.width}, weight_hh_.options().requires_grad(false));
  return {.hidden = none,
          .cell = options_.type == CellType::kLstm ? torch::zeros_like(none) : torch::Tensor()};
}

RecurrencePath CellImpl::path(bool state_mask) const {
  return recurrence_path(weight_hh_.device(), weight_hh_.scalar_type(), options_.layer_norm,
                         state_mask);
}

std::vector<torch::Tensor> CellImpl::weights() const {
  return {weight_ih_, weight_hh_, bias_ih_, bias_hh_};
}

}  // namespace heed::nn
