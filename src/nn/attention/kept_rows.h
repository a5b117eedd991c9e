#pragma once

#include "nn/attention/attention.h"

namespace heed::nn {

/// Keys or values of tokens [B, H, T, D], held in the precision of a cache. As int8, each row of D
/// numbers has a scale of its own (its largest magnitude / 127), so no row moves another.
class KeptRows {
 public:
  using Precision = CacheOptions::Precision;

  /// room: tokens; made at the first write, which tells everything else
  KeptRows(int64_t room, Precision precision) : room_(room), precision_(precision) {}

  /// x [B, H, n, D] becomes tokens first..first+n-1. Throws c10::Error for another number of rows.
  void write(int64_t first, const torch::Tensor& x);

  /// x [B, H, room, D] fills the room at once; it is kept as it is where the precision allows.
  void hold(const torch::Tensor& x);

  /// The first `len` tokens, [B, H, len, D], in the type they were written in; a view where they
  /// are kept as they came.
  torch::Tensor read(int64_t len) const;

  /// Keeps these rows of B, of which the first `len` tokens hold something. Another room comes with
  /// it: `room` tokens.
  void select(const torch::Tensor& rows, int64_t len, int64_t room);

  int64_t bytes() const;  // of the room

 private:
  void make_room(const torch::Tensor& like);

  int64_t room_;
  Precision precision_;
  torch::ScalarType written_ = torch::kFloat;
  torch::Tensor data_;   // [B, H, room, D]
  torch::Tensor scale_;  // [B, H, room, 1], fp32; int8 only
};

}  // namespace heed::nn
