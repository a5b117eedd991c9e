#pragma once

#include "nn/dropout.h"
#include "nn/feed_forward.h"
#include "nn/norm.h"

namespace heed::nn {

/// What encoder and decoder layers are made of.
struct LayerOptions {
  int64_t d_model = 0;
  int64_t d_ff = 0;
  double dropout = 0.0;    // probability, on each sublayer's result and inside the feed-forward
  bool norm_first = true;  // pre-norm, else post-norm
  NormOptions::Type norm = NormOptions::Type::kLayer;
  Activation activation = Activation::kRelu;
  bool residual = true;         // false: no way around, to show why there is one
  double residual_scale = 1.0;  // of what a sublayer adds
  Init init = Init::kXavierUniform;

  NormOptions norm_options() const { return {.type = norm, .d_model = d_model}; }
  FeedForwardOptions feed_forward_options() const {
    return {.d_model = d_model,
            .d_ff = d_ff,
            .dropout = dropout,
            .activation = activation,
            .init = init};
  }
};

/// One sublayer with its way around: x + dropout(sublayer(norm(x))), or in the order of the paper
/// norm(x + dropout(sublayer(x))) (Xiong et al., 2020), https://arxiv.org/abs/2002.04745.
///
///   x [B, T, D] -> same
template <typename Sublayer>
torch::Tensor residual(const torch::Tensor& x, const Norm& norm, const Dropout& dropout,
                       const LayerOptions& options, const Noise* noise, const Sublayer& sublayer) {
  auto change = sublayer(options.norm_first ? norm.forward(x) : x);
  if (options.residual_scale != 1.0) change = change * options.residual_scale;
  const auto sum =
      options.residual ? dropout->add(x, change, noise) : dropout->forward(change, noise);
  return options.norm_first ? sum : norm.forward(sum);
}

}  // namespace heed::nn
