#pragma once

#include <cstdint>

#include "nn/kernels/recurrence.h"

namespace heed::nn {

/// One step of the first `rows` rows, fp32 on the CPU. What is kept for the gradient is null where
/// none is wanted.
struct GateStep {
  int64_t rows = 0;
  int64_t width = 0;                 // H
  const float* input = nullptr;      // [n, G H]
  const float* recurrent = nullptr;  // [n, G H], weight * hidden
  const float* bias = nullptr;       // [G H]
  float* hidden = nullptr;           // [n, H], becomes the new one
  float* cell = nullptr;             // [n, H], LSTM; becomes the new one
  float* states = nullptr;           // [n, H], the new hidden state once more
  float* gates = nullptr;            // kept: [n, G H], after sigmoid and tanh
  float* hidden_before = nullptr;    // kept: [n, H]
  float* cell_before = nullptr;      // kept: [n, H], LSTM
  float* inner = nullptr;            // kept: [n, H]; GRU: U h + b of the new gate; LSTM: tanh c'
};

void forward_gates(CellType type, const GateStep& step);

/// The gradient of one step: from that of its hidden (and cell) state to that of its gates before
/// sigmoid and tanh, and of the state before, as far as it doesn't come through the weight.
struct GateGradient {
  int64_t rows = 0;
  int64_t width = 0;
  const float* states = nullptr;         // [n, H], gradient of the token's state
  const float* gates = nullptr;          // as kept
  const float* hidden_before = nullptr;  // as kept
  const float* cell_before = nullptr;    // as kept, LSTM
  const float* inner = nullptr;          // as kept
  float* hidden = nullptr;               // [n, H], of the state after; becomes that before (GRU)
  float* cell = nullptr;                 // [n, H], LSTM; likewise
  float* input = nullptr;                // [n, G H], of the gates
  float* recurrent = nullptr;  // [n, G H], of weight * hidden; GRU (an LSTM's is that of the gates)
};

void backward_gates(CellType type, const GateGradient& step);

}  // namespace heed::nn
