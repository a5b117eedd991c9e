#pragma once

#include "base/torch.h"

namespace heed::nn {

/// v . tanh(q + k) for every query and key (Bahdanau et al., 2015, appendix A.1.2, with W q and
/// U k + b projected before), https://arxiv.org/abs/1409.0473. On the CPU in fp32 tanh is computed
/// again for the gradient, so that [B, Tq, Tk, A] numbers never exist.
///
///   query [B, Tq, A]   key [B, Tk, A]   weight [A]   lengths int64 [B], real keys; undefined = all
///   -> scores [B, Tq, Tk], minus infinity behind the real keys
torch::Tensor additive_scores(const torch::Tensor& query, const torch::Tensor& key,
                              const torch::Tensor& weight, const torch::Tensor& lengths);

/// The plain formula, which additive_scores must equal; what devices without a kernel run.
torch::Tensor additive_scores_explicit(const torch::Tensor& query, const torch::Tensor& key,
                                       const torch::Tensor& weight, const torch::Tensor& lengths);

}  // namespace heed::nn
