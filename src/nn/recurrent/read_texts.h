#pragma once

#include <vector>

#include "nn/recurrent/cell.h"

namespace heed::nn {

/// A cell that goes through the texts of a batch.
struct TextReader {
  Cell cell;
  CellState state;             // [B, H], before the first token
  torch::Tensor state_mask{};  // [B, H], or undefined
};

/// Whole texts, packed: x [N, in] -> the states of every reader side by side, [N, readers H]. The
/// first reader begins at the first token of each text, a second one at its last.
torch::Tensor read_texts(const std::vector<TextReader>& readers, const torch::Tensor& x,
                         const std::vector<int64_t>& batch_sizes);

/// The same by LibTorch's own layers, in fp32 or wider: of cells without layer norm and state mask,
/// and at least one step. read_texts calls it where RecurrencePath says so.
torch::Tensor read_texts_by_library(const std::vector<TextReader>& readers, const torch::Tensor& x,
                                    const std::vector<int64_t>& batch_sizes);

}  // namespace heed::nn
