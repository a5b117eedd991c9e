#pragma once

#include "base/torch.h"

namespace heed::model {

/// What decoding step by step keeps, whatever the model: search knows neither Transformer nor RNN.
/// `rows` hypotheses share `memory_rows` sources evenly, neighbors share one.
class DecoderState {
 public:
  virtual ~DecoderState() = default;

  virtual int64_t rows() const = 0;         // hypotheses
  virtual int64_t memory_rows() const = 0;  // sources
  virtual int64_t position() const = 0;     // tokens read so far

  /// Keeps these hypotheses, in this order; one may come twice. memory_rows: the sources to keep,
  /// undefined = all. rows int64 [n * memory rows kept], both on the CPU or the model's device.
  virtual void select(const torch::Tensor& rows, const torch::Tensor& memory_rows) = 0;
};

}  // namespace heed::model
