#pragma once

#include "train/optimizer.h"

namespace heed::train {

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double eps = 1e-9;
  double weight_decay = 0.0;  // of matrices; biases and norms have none
  bool decoupled = false;     // AdamW: decay beside the gradient, not in it
};

/// Adam (Kingma & Ba, 2015), https://arxiv.org/abs/1412.6980, and AdamW (Loshchilov & Hutter,
/// 2019), https://arxiv.org/abs/1711.05101: one fused pass over all parameters. State: exp_avg,
/// exp_avg_sq and step.
class Adam final : public Optimizer {
 public:
  Adam(std::vector<Parameter> parameters, const AdamOptions& options);

  void step(double lr) override;
  checkpoint::NamedTensors state() const override;

 private:
  struct Moments {
    torch::Tensor first;   // exp_avg
    torch::Tensor second;  // exp_avg_sq
    torch::Tensor step;    // fp32 [], on the device: updates so far
  };
  void update(bool matrices, double lr);

  std::vector<Moments> moments_;
  AdamOptions options_;
};

}  // namespace heed::train
