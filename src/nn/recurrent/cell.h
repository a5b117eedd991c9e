#pragma once

#include <vector>

#include "nn/dropout.h"
#include "nn/kernels/recurrence.h"
#include "nn/linear.h"

namespace heed::nn {

struct CellOptions {
  CellType type = CellType::kGru;
  int64_t in = 0;
  int64_t width = 0;           // H, of the state
  bool layer_norm = false;     // of both products, and of an LSTM's cell
  double state_dropout = 0.0;  // probability, on the state that a step reads
  Init init = Init::kXavierUniform;
};

/// What a row carries from step to step.
struct CellState {
  torch::Tensor hidden;  // [B, H]
  torch::Tensor cell{};  // [B, H], LSTM only

  CellState narrow(int64_t rows) const;               // the first rows
  CellState select(const torch::Tensor& rows) const;  // int64 [any]
};

/// A recurrent layer that goes one way, with PyTorch's gates and names of parameters. Each gate's
/// recurrent weight begins orthogonal (Saxe et al., 2014), https://arxiv.org/abs/1312.6120, the
/// forget gate's bias at 1 (Jozefowicz et al., 2015), the other biases at 0. Layer norm is that of
/// Ba et al. (2016, section 3.1 and the supplement), all gates of a product together. The dropped
/// units of a state are the same at every step (Gal & Ghahramani, 2016).
class CellImpl final : public torch::nn::Module {
 public:
  explicit CellImpl(const CellOptions& options);

  /// x [..., in] -> the gates' share of the input [..., G H], fp32 or wider. All steps of a
  /// sequence in one multiplication.
  torch::Tensor project(const torch::Tensor& x) const;

  /// gates: project(x), packed: [N, G H]
  Recurred forward(const torch::Tensor& gates, const CellState& state,
                   const std::vector<int64_t>& batch_sizes, bool reverse,
                   const torch::Tensor& state_mask) const;

  /// [B, H], or undefined where nothing is dropped. noise: of the rows
  torch::Tensor state_mask(int64_t rows, const Noise* noise) const;

  CellState zeros(int64_t rows) const;

  /// How whole sequences are read. state_mask: whether there is one
  RecurrencePath path(bool state_mask) const;

  /// weight_ih, weight_hh, bias_ih, bias_hh, as LibTorch's own layers take them
  std::vector<torch::Tensor> weights() const;

  const CellOptions& options() const { return options_; }

 private:
  CellOptions options_;
  torch::Tensor weight_ih_;  // [G H, in]
  torch::Tensor weight_hh_;  // [G H, H]
  torch::Tensor bias_ih_;    // [G H]
  torch::Tensor bias_hh_;    // [G H]
  torch::Tensor norm_ih_;    // [G H], undefined without layer norm
  torch::Tensor norm_hh_;    // [G H]
  torch::Tensor norm_cell_;  // [H], LSTM
  torch::Tensor bias_cell_;  // [H], of that norm
  Dropout state_dropout_{nullptr};
};
TORCH_MODULE(Cell);

}  // namespace heed::nn
