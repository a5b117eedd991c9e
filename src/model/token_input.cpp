#include "model/token_input.h"

#include <utility>

namespace heed::model {

TokenInputImpl::TokenInputImpl(nn::Embedding embedding, const nn::PositionsOptions& positions,
                               double dropout)
    : embedding_(std::move(embedding)) {
  positions_ = register_module("positions", nn::Positions(positions));
  dropout_ = register_module("dropout", nn::Dropout(dropout));
}

torch::Tensor TokenInputImpl::forward(const torch::Tensor& ids, int64_t first,
                                      const nn::Noise* noise) const {
  const auto x = positions_->forward(embedding_->forward(ids), first);  // [B, T, D]
  return dropout_->forward(x, noise);
}

}  // namespace heed::model
