#pragma once

#include "train/optimizer.h"

namespace heed::train {

struct SgdOptions {
  double momentum = 0.0;
  double weight_decay = 0.0;  // of matrices, added to their gradients
};

/// Stochastic gradient descent with heavy-ball momentum (Polyak, 1964), in PyTorch's form:
/// v = momentum * v + g, w -= lr * v. State: momentum, where there is one.
class Sgd final : public Optimizer {
 public:
  Sgd(std::vector<Parameter> parameters, const SgdOptions& options);

  void step(double lr) override;
  checkpoint::NamedTensors state() const override;

 private:
  std::vector<torch::Tensor> velocity_;  // empty without momentum
  SgdOptions options_;
};

}  // namespace heed::train
