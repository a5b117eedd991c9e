#include "nn/embedding.h"

#include <cmath>

namespace heed::nn {

EmbeddingImpl::EmbeddingImpl(const EmbeddingOptions& options)
    : scale_(std::sqrt(static_cast<double>(options.d_model))) {
  weight_ = register_parameter("weight", torch::empty({options.rows, options.d_model}));
  torch::nn::init::normal_(weight_, 0.0, 1.0 / scale_);
}

torch::Tensor EmbeddingImpl::forward(const torch::Tensor& ids) const {
  return torch::embedding(weight_, ids) * scale_;
}

}  // namespace heed::nn
