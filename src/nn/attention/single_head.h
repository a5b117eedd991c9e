#pragma once

#include "nn/attention/multi_head.h"

namespace heed::nn {

struct SingleHeadOptions {
  int64_t d_model = 0;
  int64_t d_k = 0;  // of queries and keys; 0 = d_model
  int64_t d_v = 0;  // of values; 0 = d_k
  bool bias = false;
  bool out_proj = false;  // true: back to d_model
  Init init = Init::kXavierUniform;
};

/// One head as a layer of its own: softmax(Q K^T / sqrt(d_k)) V with Q = x W_q^T, K = m W_k^T and
/// V = m W_v^T (Vaswani et al., 2017, section 3.2.1). -> [B, Tq, d_v], or [B, Tq, D] with an output
/// projection. The multi-head layer with one head, so caches and parameter names are those.
MultiHeadAttention single_head_attention(const SingleHeadOptions& options,
                                         std::shared_ptr<AttentionCore> core,
                                         AttentionPositions positions = {});

}  // namespace heed::nn
