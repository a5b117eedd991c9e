#pragma once

#include "nn/attention/core.h"
#include "nn/dropout.h"

namespace heed::nn {

struct TopKOptions {
  int64_t k = 0;         // keys that a query keeps, at least 1
  double dropout = 0.0;  // probability, on the weights
};

/// Scaled dot-product attention to the k best-scored of the visible keys (Gupta et al., 2021,
/// section 2), https://arxiv.org/abs/2106.06899. Of keys that score the same at the border the
/// first ones stay.
class TopKImpl final : public AttentionCore {
 public:
  explicit TopKImpl(const TopKOptions& options);
  torch::Tensor forward(const CoreInput& input) override;
  bool heads_alike() const override { return true; }

 private:
  int64_t k_;
  Dropout dropout_{nullptr};
};
TORCH_MODULE(TopK);

}  // namespace heed::nn
