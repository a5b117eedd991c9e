#pragma once

#include "nn/attention/core.h"
#include "nn/dropout.h"

namespace heed::nn {

struct GeneralOptions {
  int64_t heads = 0;
  int64_t head_dim = 0;  // of queries and keys
  double dropout = 0.0;  // probability, on the weights
};

/// softmax(Q W K^T / sqrt(Dk)) V with a matrix W for each head (Luong et al., 2015, section 3.1,
/// "general"), https://arxiv.org/abs/1508.04025, scaled as dot products are. W begins near the
/// identity: it is the scaled dot product with a little noise.
class GeneralImpl final : public AttentionCore {
 public:
  explicit GeneralImpl(const GeneralOptions& options);
  torch::Tensor forward(const CoreInput& input) override;

 private:
  torch::Tensor weight_;  // [H, Dk, Dk]
  Dropout dropout_{nullptr};
};
TORCH_MODULE(General);

}  // namespace heed::nn
