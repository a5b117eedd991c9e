#pragma once

#include <memory>

#include "base/torch.h"

namespace heed::nn {

struct NormOptions {
  enum class Type { kLayer, kRms };
  Type type = Type::kLayer;
  int64_t d_model = 0;
};

/// Brings the features of each position to one scale.
class Norm : public torch::nn::Module {
 public:
  /// x [..., D] -> same, fp32 or wider
  virtual torch::Tensor forward(const torch::Tensor& x) const = 0;
};

std::shared_ptr<Norm> make_norm(const NormOptions& options);

}  // namespace heed::nn
