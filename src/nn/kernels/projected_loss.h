#pragma once

#include "base/torch.h"

namespace heed::nn {

/// Sums over all rows; divide by the target tokens of the whole step.
struct ProjectedLoss {
  torch::Tensor loss;     // fp32 [], carries the gradient
  torch::Tensor nll;      // fp32 [], without smoothing, no gradient
  torch::Tensor correct;  // int64 [], rows whose largest logit is the target's
};

/// Label-smoothed cross entropy of features W^T + b, with uniform mass over the vocabulary:
/// (1 - s) nll + s mean(-log p) (Szegedy et al., 2016, section 7). Projection, loss and both
/// gradients are computed together in chunks of rows, so that [N, V] logits never exist.
///
///   features [N, D] (real rows only)   weight [V, D]   bias [V] or undefined   targets int64 [N]
///
/// No row gives zeros. Softmax and sums in fp32 under mixed precision.
ProjectedLoss projected_loss(const torch::Tensor& features, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& targets,
                             double smoothing);

/// The plain formula, which projected_loss must equal.
ProjectedLoss projected_loss_explicit(const torch::Tensor& features, const torch::Tensor& weight,
                                      const torch::Tensor& bias, const torch::Tensor& targets,
                                      double smoothing);

}  // namespace heed::nn
