#pragma once

#include <utility>
#include <vector>

#include "model/decoder_state.h"
#include "nn/recurrent/cell.h"
#include "nn/recurrent/memory_attention.h"

namespace heed::model {

/// What the rows of a recurrent decoder carry from token to token.
struct RnnRows {
  std::vector<nn::CellState> layers;  // [rows, D] each
  torch::Tensor fed{};                // [rows, D], the last features; read by input feeding only

  RnnRows select(const torch::Tensor& rows) const;  // int64 [any]
};

/// A recurrent decoder between two tokens: the rows of every hypothesis, and the memory, whose keys
/// were projected once, of every source.
class RnnState final : public DecoderState {
 public:
  RnnState(RnnRows rows, nn::ProjectedMemory memory)
      : rows_(std::move(rows)), memory_(std::move(memory)) {}

  int64_t rows() const override { return rows_.layers.front().hidden.size(0); }
  int64_t memory_rows() const override { return memory_.values.size(0); }
  int64_t position() const override { return position_; }
  void select(const torch::Tensor& rows, const torch::Tensor& memory_rows) override;

  const RnnRows& carried() const { return rows_; }
  const nn::ProjectedMemory& memory() const { return memory_; }

  /// One token was read.
  void advance(RnnRows rows) {
    rows_ = std::move(rows);
    ++position_;
  }

 private:
  RnnRows rows_;
  nn::ProjectedMemory memory_;
  int64_t position_ = 0;
};

}  // namespace heed::model
