#include "train/micro_batches.h"

#include <algorithm>

namespace heed::train {
namespace {

torch::Tensor rows_of(const torch::Tensor& tensor, int64_t begin, int64_t end) {
  return tensor.defined() ? tensor.slice(0, begin, end) : tensor;
}

/// ids [B, T] -> [B', longest]
torch::Tensor ids_of(const torch::Tensor& ids, int64_t begin, int64_t end,
                     const torch::Tensor& lengths) {
  if (!ids.defined()) return ids;
  return ids.slice(0, begin, end).slice(1, 0, lengths.max().item<int64_t>()).contiguous();
}

data::Batch part_of(const data::Batch& batch, int64_t begin, int64_t end) {
  data::Batch part = batch;
  part.source_lengths = rows_of(batch.source_lengths, begin, end);
  part.source = ids_of(batch.source, begin, end, part.source_lengths);
  part.source_tokens = part.source_lengths.sum().item<int64_t>();
  if (batch.target_lengths.defined()) {
    part.target_lengths = rows_of(batch.target_lengths, begin, end);
    part.target_in = ids_of(batch.target_in, begin, end, part.target_lengths);
    part.target_out = ids_of(batch.target_out, begin, end, part.target_lengths);
    part.target_tokens = part.target_lengths.sum().item<int64_t>();
  }
  part.labels = rows_of(batch.labels, begin, end);
  part.examples = rows_of(batch.examples, begin, end);
  return part;
}

}  // namespace

std::vector<data::Batch> split(const data::Batch& batch, int64_t parts) {
  const auto rows = batch.size();
  parts = std::clamp<int64_t>(parts, 1, rows);
  if (parts == 1) return {batch};
  std::vector<data::Batch> micro_batches;
  for (int64_t i = 0; i < parts; ++i) {
    micro_batches.push_back(part_of(batch, rows * i / parts, rows * (i + 1) / parts));
  }
  return micro_batches;
}

}  // namespace heed::train
