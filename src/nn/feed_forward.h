#pragma once

#include "nn/dropout.h"
#include "nn/linear.h"

namespace heed::nn {

enum class Activation { kRelu, kGelu, kSwiglu };

struct FeedForwardOptions {
  int64_t d_model = 0;
  int64_t d_ff = 0;
  double dropout = 0.0;  // probability, on the hidden features
  Activation activation = Activation::kRelu;
  Init init = Init::kXavierUniform;
};

/// fc2(dropout(activation(fc1(x)))), each position alone (Vaswani et al., 2017, section 3.3). GELU
/// is the exact one (Hendrycks & Gimpel, 2016), https://arxiv.org/abs/1606.08415. SwiGLU has a
/// third matrix: fc2(dropout(silu(gate(x)) * fc1(x))) (Shazeer, 2020, equation 6),
/// https://arxiv.org/abs/2002.05202.
class FeedForwardImpl final : public torch::nn::Module {
 public:
  explicit FeedForwardImpl(const FeedForwardOptions& options);

  /// x [B, T, D] -> same
  torch::Tensor forward(const torch::Tensor& x, const Noise* noise) const;

 private:
  torch::Tensor hidden(const torch::Tensor& x) const;

  Activation activation_;
  Linear gate_{nullptr};  // SwiGLU only
  Linear fc1_{nullptr};
  Linear fc2_{nullptr};
  Dropout dropout_{nullptr};
};
TORCH_MODULE(FeedForward);

}  // namespace heed::nn
