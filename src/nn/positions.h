#pragma once

#include "nn/angles.h"

namespace heed::nn {

struct PositionsOptions {
  enum class Type { kSinusoidal, kLearned, kNone };
  Type type = Type::kSinusoidal;
  int64_t d_model = 0;
  int64_t max_len = 0;    // positions kept; later ones are computed, or repeat the last one learned
  double base = 10000.0;  // of sinusoids
  double stretch = 1.0;   // above 1, positions lie closer (interpolation; Chen et al., 2023): a
                          // learned one in between is mixed from its neighbors
};

/// sin and cos of each angle at 2i and 2i + 1 (Vaswani et al., 2017, section 3.5):
/// fp32 [len, width] for the positions from `first` on.
torch::Tensor sinusoids(int64_t first, int64_t len, const AngleOptions& options);

/// Tells tokens where they stand.
class PositionsImpl final : public torch::nn::Module {
 public:
  explicit PositionsImpl(const PositionsOptions& options);

  /// x [B, T, D], whose first token stands at `first` -> same
  torch::Tensor forward(const torch::Tensor& x, int64_t first) const;

 private:
  torch::Tensor rows(int64_t first, int64_t len) const;
  torch::Tensor learned_rows(int64_t first, int64_t len) const;

  PositionsOptions options_;
  torch::Tensor weight_;  // [max_len, D], a parameter where learned, undefined for none
};
TORCH_MODULE(Positions);

}  // namespace heed::nn
