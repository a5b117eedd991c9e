#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/torch.h"
#include "checkpoint/safetensors.h"
#include "config/train.h"

namespace heed::train {

struct Parameter {
  std::string name;
  torch::Tensor value;
};

/// Every trained tensor of a module once, under its first name.
std::vector<Parameter> parameters_of(const torch::nn::Module& module);

/// Turns gradients into updates. What it remembers of earlier ones are tensors with names, so that
/// a checkpoint holds any optimizer alike. fp32 parameters are their own master weights under bf16.
class Optimizer {
 public:
  explicit Optimizer(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {}
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// One update from the gradients. A parameter without one is left alone, its count too.
  virtual void step(double lr) = 0;

  /// KIND.NAME for every parameter NAME. The tensors are those in use.
  virtual checkpoint::NamedTensors state() const = 0;

  /// Throws CheckpointError, begun by `where`, naming what is missing, unknown or of another shape,
  /// before anything changes.
  void load_state(const checkpoint::NamedTensors& state, const std::string& where);

  void zero_grad();
  const std::vector<Parameter>& parameters() const { return parameters_; }
  std::vector<torch::Tensor> gradients() const;  // the defined ones

 private:
  std::vector<Parameter> parameters_;
};

/// The optimizer that `config.optimizer` names.
std::unique_ptr<Optimizer> make_optimizer(const config::Train& config,
                                          std::vector<Parameter> parameters);

}  // namespace heed::train
