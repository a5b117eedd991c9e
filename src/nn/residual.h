#pragma once

#include "nn/dropout.h"
#include "nn/feed_forward.h"
#include "nn/layer_norm.h"

namespace heed::nn {

/// What encoder and decoder layers are made of.
struct LayerOptions {
  int64_t d_model = 0;
  int64_t d_ff = 0;
  double dropout = 0.0;    // probability, on each sublayer's result and inside the feed-forward
  bool norm_first = true;  // pre-norm, else post-norm
  Activation activation = Activation::kRelu;
};

/// One sublayer with its way around: x + dropout(sublayer(norm(x))), or in the order of the paper
/// norm(x + dropout(sublayer(x))) (Xiong et al., 2020), https://arxiv.org/abs/2002.04745.
///
///   x [B, T, D] -> same
template <typename Sublayer>
torch::Tensor residual(const torch::Tensor& x, const LayerNorm& norm, const Dropout& dropout,
                       bool norm_first, const Noise* noise, const Sublayer& sublayer) {
  if (norm_first) return dropout->add(x, sublayer(norm->forward(x)), noise);
  return norm->forward(dropout->add(x, sublayer(x), noise));
}

}  // namespace heed::nn
