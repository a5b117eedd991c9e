#pragma once

#include "base/torch.h"
#include "nn/angles.h"

namespace heed::nn {

/// Rotary positions (Su et al., 2021, section 3.2.2), https://arxiv.org/abs/2104.09864: a head's
/// features are turned, in pairs, by an angle proportional to the position, so that a dot product
/// of query and key sees their distance only. Pairs are i and i + Dk / 2, as in LLaMA's weights.
class RotaryImpl final : public torch::nn::Module {
 public:
  /// options.width: depth of a head. Throws c10::Error where it is odd.
  explicit RotaryImpl(const AngleOptions& options);

  /// x [B, H, T, Dk], whose first token stands at `first` -> same
  torch::Tensor forward(const torch::Tensor& x, int64_t first) const;

 private:
  torch::Tensor rows(int64_t first, int64_t len) const;

  AngleOptions options_;
  torch::Tensor table_;  // [2, kept, Dk], cosines and sines of the first positions
};
TORCH_MODULE(Rotary);

}  // namespace heed::nn
