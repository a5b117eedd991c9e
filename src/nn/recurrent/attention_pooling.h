#pragma once

#include "nn/attention/attention.h"
#include "nn/dropout.h"
#include "nn/linear.h"

namespace heed::nn {

struct AttentionPoolingOptions {
  int64_t d_model = 0;
  double dropout = 0.0;  // probability, on the weights
  Init init = Init::kXavierUniform;
};

/// A text as one vector: the mean of its tokens, weighted by softmax of v . tanh(W x + b) (Yang et
/// al., 2016, equations 5 to 7), https://aclanthology.org/N16-1174. An empty text is zeros.
class AttentionPoolingImpl final : public torch::nn::Module {
 public:
  explicit AttentionPoolingImpl(const AttentionPoolingOptions& options);

  /// x [B, T, D]   lengths int64 [B] on its device, or undefined -> [B, D]; `parts`, where given,
  /// have one head and one query, v. noise: of the texts
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& lengths, AttentionParts* parts,
                        const Noise* noise) const;

 private:
  Linear key_proj_{nullptr};
  torch::Tensor score_weight_;  // [D]
  Dropout dropout_{nullptr};
};
TORCH_MODULE(AttentionPooling);

}  // namespace heed::nn
