#pragma once

#include "nn/attention/score_bias.h"

namespace heed::nn {

/// Attention with linear biases (Press et al., 2022, section 3), https://arxiv.org/abs/2108.12409:
/// a head's scores fall by its slope for every position between query and key, on either side.
/// Nothing is learned.
class AlibiImpl final : public ScoreBias {
 public:
  explicit AlibiImpl(int64_t heads);

  torch::Tensor block(int64_t query_first, int64_t query_len, int64_t key_first,
                      int64_t key_len) const override;

 private:
  torch::Tensor slopes_;  // [H, 1]
};
TORCH_MODULE(Alibi);

/// fp32 [H]: the powers 2^(-8 h / H), and where H is no power of two those of the next below, then
/// every second one of the next above, as in the authors' code.
torch::Tensor alibi_slopes(int64_t heads);

}  // namespace heed::nn
