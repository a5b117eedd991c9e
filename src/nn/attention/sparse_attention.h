#pragma once

#include "nn/attention/pattern.h"
#include "nn/attention/scaled_dot_product.h"

namespace heed::nn {

struct SparseAttentionOptions {
  Pattern pattern{};
  ScaledDotProductOptions dense{};  // explicit: the pattern as a mask on the full matrix
  int64_t at_once = 128;            // queries of a block; with random keys it is pattern.block
};

/// Scaled dot-product attention to some of the keys, in linear time: a sliding window; with global
/// tokens (Beltagy et al., 2020, section 3.1), https://arxiv.org/abs/2004.05150, whose projections
/// are those of all others here; with random keys too (Zaheer et al., 2020, section 2),
/// https://arxiv.org/abs/2007.14062. Self-attention only. Keys as many as the window are met by
/// ScaledDotProduct. A bias by distance goes with a window alone.
class SparseAttentionImpl final : public AttentionCore {
 public:
  explicit SparseAttentionImpl(const SparseAttentionOptions& options);

  torch::Tensor forward(const CoreInput& input) override;

  /// A ring of the window's keys where a key outside it is never seen again.
  std::unique_ptr<AttentionCache> start(int64_t max_len,
                                        const CacheOptions& options) const override;

 private:
  SparseAttentionOptions options_;
  ScaledDotProduct dense_{nullptr};
};
TORCH_MODULE(SparseAttention);

}  // namespace heed::nn
