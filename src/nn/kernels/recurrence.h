#pragma once

#include <vector>

#include "base/torch.h"

namespace heed::nn {

enum class CellType { kLstm, kGru };

/// Gates of a cell, in PyTorch's order: input, forget, cell, output; reset, update, new.
inline int64_t gate_count(CellType type) { return type == CellType::kLstm ? 4 : 3; }

/// One direction of one recurrent layer over a batch without its padding: rows are sorted, the
/// longest first, and laid out step by step, so step t is the first batch_sizes[t] rows. N is their
/// sum, G H the gates.
struct Recurrence {
  CellType type = CellType::kGru;
  torch::Tensor input;   // [N, G H], W x + b of every token
  torch::Tensor hidden;  // [B, H], before the first step
  torch::Tensor cell{};  // [B, H], LSTM only
  torch::Tensor weight;  // [G H, H], of the hidden state
  torch::Tensor bias;    // [G H]
  std::vector<int64_t> batch_sizes{};
  bool reverse = false;         // from the last step of each row to its first
  torch::Tensor state_mask{};   // [B, H], multiplies what `weight` reads; undefined = 1
  torch::Tensor norm_weight{};  // [G H], layer norm of weight * hidden before the bias, where given
  torch::Tensor cell_norm_weight{};  // [H], layer norm of the cell before its tanh, LSTM only
  torch::Tensor cell_norm_bias{};    // [H]
};

/// The hidden state of every token, and what each row ends with. A row without tokens keeps what it
/// had.
struct Recurred {
  torch::Tensor states;  // [N, H]
  torch::Tensor hidden;  // [B, H]
  torch::Tensor cell{};  // [B, H], LSTM only
};

/// LSTM (Hochreiter & Schmidhuber, 1997; Gers et al., 2000) or GRU (Cho et al., 2014; the reset
/// gate acts after the weight, as in cuDNN and PyTorch), in fp32 or wider:
///
///   c' = f c + i g, h' = o tanh c'           i, f, o sigmoids, g a tanh
///   h' = (1 - z) n + z h                     n = tanh(W x + r (U h + b)); r, z sigmoids
///
/// On the CPU, fp32 without norms, a step is one multiplication and one pass over the gates, and
/// the weight's gradient one multiplication for all steps.
Recurred recurrence(const Recurrence& run);

/// The plain formula, which recurrence must equal.
Recurred recurrence_explicit(const Recurrence& run);

/// How a recurrent layer is computed.
enum class RecurrencePath {
  kFused,     // by `recurrence`
  kLibrary,   // by LibTorch's own layers, all steps in one call: cuDNN's
  kExplicit,  // operator by operator
};

/// The fastest path there is. dtype: of the gates. layer_norm, state_mask: whether there is one
RecurrencePath recurrence_path(torch::Device device, torch::ScalarType dtype, bool layer_norm,
                               bool state_mask);

/// Whether `recurrence` has a fused path for such tensors.
bool has_fused_recurrence(const Recurrence& run);

}  // namespace heed::nn
