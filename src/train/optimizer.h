#pragma once

#include <string>
#include <vector>

#include "base/torch.h"
#include "checkpoint/safetensors.h"

namespace heed::train {

struct Parameter {
  std::string name;
  torch::Tensor value;
};

/// Every trained tensor of a module once, under its first name.
std::vector<Parameter> parameters_of(const torch::nn::Module& module);

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double eps = 1e-9;
  double weight_decay = 0.0;  // of matrices; biases and norms have none
  bool decoupled = false;     // AdamW: decay beside the gradient, not in it
};

/// Adam (Kingma & Ba, 2015) and AdamW (Loshchilov & Hutter, 2019), one fused pass over all
/// parameters. fp32 parameters are their own master weights under bf16.
class Adam {
 public:
  Adam(std::vector<Parameter> parameters, const AdamOptions& options);

  /// One update from the gradients. A parameter without one is left alone, its count too.
  void step(double lr);
  void zero_grad();

  const std::vector<Parameter>& parameters() const { return parameters_; }
  std::vector<torch::Tensor> gradients() const;  // the defined ones

  /// exp_avg.NAME, exp_avg_sq.NAME and step.NAME of every parameter. The tensors are those in use.
  checkpoint::NamedTensors state() const;

  /// Throws CheckpointError, begun by `where`, naming what is missing, unknown or of another shape,
  /// before anything changes.
  void load_state(const checkpoint::NamedTensors& state, const std::string& where);

 private:
  struct Moments {
    torch::Tensor first;   // exp_avg
    torch::Tensor second;  // exp_avg_sq
    torch::Tensor step;    // fp32 [], on the device: updates so far
  };
  void update(bool matrices, double lr);

  std::vector<Parameter> parameters_;
  std::vector<Moments> moments_;
  AdamOptions options_;
};

}  // namespace heed::train
