#pragma once

#include "train/optimizer.h"

namespace heed::train {

struct AdafactorOptions {
  double weight_decay = 0.0;  // of matrices, decoupled
  double scale_floor = 1e-3;  // of a parameter's root mean square, which scales the rate
  double clip = 1.0;          // root mean square of an update before the rate, at most
  double decay_power = -0.8;  // of the step: what the newest square weighs
};

/// Adafactor (Shazeer & Stern, 2018), https://arxiv.org/abs/1804.04235, in PyTorch's form: the
/// second moment of a matrix is kept as its row and column means, so that the state of a matrix
/// [R, C] is R + C numbers; the rate is relative to the size of the parameter, and at most
/// step^-0.5. State: step, and row and column, or variance where there is one dimension.
class Adafactor final : public Optimizer {
 public:
  Adafactor(std::vector<Parameter> parameters, const AdafactorOptions& options);

  void step(double lr) override;
  checkpoint::NamedTensors state() const override;

 private:
  struct Moments {
    torch::Tensor row;       // [.., R, 1], of a matrix
    torch::Tensor column;    // [.., 1, C], of a matrix
    torch::Tensor variance;  // of a vector
    torch::Tensor step;      // fp32 [], on the CPU: updates so far
  };
  torch::Tensor second_moment(Moments& moments, const torch::Tensor& grad, double weight) const;

  std::vector<Moments> moments_;
  AdafactorOptions options_;
};

}  // namespace heed::train
