#pragma once

#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/positions.h"

namespace heed::model {

/// Where a stack of layers begins: ids become vectors with a position.
class TokenInputImpl final : public torch::nn::Module {
 public:
  /// `embedding` may belong to others too, so it is registered by its owner, not here.
  TokenInputImpl(nn::Embedding embedding, const nn::PositionsOptions& positions, double dropout);

  /// ids int64 [B, T], the first of them at position `first` -> [B, T, D]
  torch::Tensor forward(const torch::Tensor& ids, int64_t first, const nn::Noise* noise) const;

  const nn::Embedding& embedding() const { return embedding_; }

 private:
  nn::Embedding embedding_;
  nn::Positions positions_{nullptr};
  nn::Dropout dropout_{nullptr};
};
TORCH_MODULE(TokenInput);

}  // namespace heed::model
