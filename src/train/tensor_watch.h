#pragma once

#include <string>
#include <vector>

#include "train/optimizer.h"

namespace heed::train {

/// How one parameter fared in one update.
struct TensorReport {
  std::string name;
  double grad_norm = 0.0;     // L2, before clipping
  double update_ratio = 0.0;  // L2 of its change over L2 of it; about 1e-3 where all goes well
};

/// Looks at every parameter that has a gradient in one update: made before it, asked after it.
class TensorWatch {
 public:
  explicit TensorWatch(const std::vector<Parameter>& parameters);

  std::vector<TensorReport> reports() const;

 private:
  std::vector<Parameter> parameters_;
  std::vector<torch::Tensor> before_;  // copies of their values
  torch::Tensor grad_norms_;           // [parameters]
};

}  // namespace heed::train
