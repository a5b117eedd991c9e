#pragma once

#include "base/torch.h"

namespace heed::nn {

struct EmbeddingOptions {
  int64_t rows = 0;  // may exceed the pieces
  int64_t d_model = 0;
};

/// A vector for each piece, times sqrt(d_model) (Vaswani et al., 2017, section 3.4). Weights are
/// normal(0, 1 / sqrt(d_model)), which also suits a tied output projection.
class EmbeddingImpl final : public torch::nn::Module {
 public:
  explicit EmbeddingImpl(const EmbeddingOptions& options);

  /// ids int64 [...] -> [..., D]
  torch::Tensor forward(const torch::Tensor& ids) const;

  const torch::Tensor& weight() const { return weight_; }  // [rows, D]

 private:
  torch::Tensor weight_;
  double scale_;
};
TORCH_MODULE(Embedding);

}  // namespace heed::nn
