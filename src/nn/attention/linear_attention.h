#pragma once

#include "nn/attention/core.h"

namespace heed::nn {

/// Attention without softmax: the weight of a key is phi(q) . phi(k), phi = elu + 1, divided by the
/// sum of the row (Katharopoulos et al., 2020, sections 3.2 and 3.3),
/// https://arxiv.org/abs/2006.16236. Keys and values are summed once, so time grows linearly;
/// causally chunk by chunk, and in decoding by sums that are carried on. Has no parameters, and no
/// dropout, for weights are never made.
///
/// Where parts are asked for, or an `allowed` mask hides single pairs, it is the quadratic form;
/// `scores` are then log(phi(q) . phi(k)), whose softmax the weights are.
class LinearAttentionImpl final : public AttentionCore {
 public:
  torch::Tensor forward(const CoreInput& input) override;
  bool heads_alike() const override { return true; }

  std::unique_ptr<AttentionCache> start(int64_t max_len,
                                        const CacheOptions& options) const override;
  std::unique_ptr<AttentionCache> remember(const torch::Tensor& key, const torch::Tensor& value,
                                           const torch::Tensor& lengths,
                                           const CacheOptions& options) const override;
  bool owns(const AttentionCache& cache) const override;
};
TORCH_MODULE(LinearAttention);

}  // namespace heed::nn
