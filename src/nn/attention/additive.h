#pragma once

#include "nn/attention/core.h"
#include "nn/dropout.h"

namespace heed::nn {

struct AdditiveOptions {
  int64_t heads = 0;
  int64_t head_dim = 0;  // of queries and keys
  int64_t hidden = 0;    // width of the scorer; 0 = head_dim
  double dropout = 0.0;  // probability, on the weights
};

/// score = v . tanh(W q + U k + b) for each head (Bahdanau et al., 2015, appendix A.1.2),
/// https://arxiv.org/abs/1409.0473. Queries are scored a few at a time, for tanh is taken of
/// [B, H, Tq, Tk, hidden] numbers; training keeps them all.
class AdditiveImpl final : public AttentionCore {
 public:
  explicit AdditiveImpl(const AdditiveOptions& options);
  torch::Tensor forward(const CoreInput& input) override;

 private:
  torch::Tensor scores(const torch::Tensor& query, const torch::Tensor& key) const;

  torch::Tensor query_weight_;  // [H, Dk, hidden]
  torch::Tensor key_weight_;    // [H, Dk, hidden]
  torch::Tensor bias_;          // [H, 1, hidden]
  torch::Tensor score_weight_;  // [H, hidden, 1]
  Dropout dropout_{nullptr};
};
TORCH_MODULE(Additive);

}  // namespace heed::nn
