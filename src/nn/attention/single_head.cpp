#include "nn/attention/single_head.h"

#include <utility>

namespace heed::nn {

MultiHeadAttention single_head_attention(const SingleHeadOptions& options,
                                         std::shared_ptr<AttentionCore> core,
                                         AttentionPositions positions) {
  const MultiHeadOptions one{
      .d_model = options.d_model,
      .heads = 1,
      .head_dim = options.d_k,
      .value_dim = options.d_v,
      .bias = options.bias,
      .out_proj = options.out_proj,
      .init = options.init,
  };
  return MultiHeadAttention(one, std::move(core), std::move(positions));
}

}  // namespace heed::nn
