#pragma once

#include <functional>
#include <vector>

#include "nn/kernels/keyed_dropout.h"

namespace heed::nn {

/// A block of queries and the keys it meets: a range, and some from elsewhere.
struct KeyBlock {
  int64_t query_first = 0;
  int64_t query_len = 0;
  int64_t key_first = 0;
  int64_t key_len = 0;            // K
  int64_t band = -1;              // which of the bands is added to the scores; -1: none
  int64_t band_first = 0;         // the key of the range at which the band begins
  torch::Tensor allowed{};        // bool, broadcasts to [B, H, query_len, K]; undefined = all
  torch::Tensor extra{};          // int64, expands to [B, H, E]: keys from elsewhere, or undefined
  torch::Tensor extra_allowed{};  // bool, broadcasts to [B, H, query_len, E]
};

/// Which block of queries meets which keys. Every query is in one block.
struct BlockPlan : torch::CustomClassHolder {
  std::vector<KeyBlock> blocks;
  bool blind = false;  // some query may see nothing
  // Dropout of weights at their places, or null; the same for the same places.
  std::function<torch::Tensor(const torch::Tensor& weights, const DropoutPlaces& places)> drop;
};

/// softmax(Q K^T scale + bands) V block by block, so that time and memory grow with the keys a
/// query meets and not with all there are. Scores live one block at a time; the gradient computes
/// them again from query, key and value (Dao et al., 2022, section 3.1),
/// https://arxiv.org/abs/2205.14135. Computed in fp32 or wider. A query that sees nothing gets 0.
///
///   query [B, H, Tq, Dk]   key [B, H, Tk, Dk]   value [B, H, Tk, Dv]
///   bands [1 or H, query_len, any] each, shared by the blocks that name them
///   -> [B, H, Tq, Dv], in the type of value
torch::Tensor blocked_attention(const torch::Tensor& query, const torch::Tensor& key,
                                const torch::Tensor& value, const std::vector<torch::Tensor>& bands,
                                const c10::intrusive_ptr<BlockPlan>& plan, double scale);

}  // namespace heed::nn
