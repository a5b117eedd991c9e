#pragma once

#include "base/torch.h"

namespace heed::nn {

/// What a position scheme adds to the scores of self-attention, before masks and softmax. It
/// depends on the distance key - query alone, so blocks that lie alike share one.
class ScoreBias : public torch::nn::Module {
 public:
  /// For the queries at query_first.. and the keys at key_first.. -> [H, Tq, Tk], fp32 or wider
  virtual torch::Tensor block(int64_t query_first, int64_t query_len, int64_t key_first,
                              int64_t key_len) const = 0;
};

/// One value for each distance, laid out for all pairs of a block.
///
///   values [H, Tq + Tk - 1], of the distances from (last query, first key) up
///   -> [H, Tq, Tk]
torch::Tensor by_distance(const torch::Tensor& values, int64_t query_len);

}  // namespace heed::nn
