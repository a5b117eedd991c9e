#pragma once

#include <vector>

#include "checkpoint/safetensors.h"
#include "train/optimizer.h"

namespace heed::train {

/// An exponential moving average of weights (Polyak & Juditsky, 1992):
/// average = decay * average + (1 - decay) * weights after every update, with the smaller decay
/// (1 + n) / (10 + n) after the n-th while that is smaller, so that the start is soon forgotten.
class WeightAverage {
 public:
  /// Begins with the weights as they are. decay 0: no average is kept, and nothing below does
  /// anything.
  WeightAverage(std::vector<Parameter> parameters, double decay);

  void update(int64_t step);

  /// Exchanges the weights and their average; called twice, all is as before.
  void swap();

  /// The average in the place of the weights while it lives.
  class Shown {
   public:
    explicit Shown(WeightAverage& average) : average_(average) { average_.swap(); }
    ~Shown() { average_.swap(); }
    Shown(const Shown&) = delete;
    Shown& operator=(const Shown&) = delete;

   private:
    WeightAverage& average_;
  };

  /// Beside the averaged weights, which stand in the module after swap(), the ones to train on:
  /// weight.NAME.
  checkpoint::NamedTensors state() const;

  /// Takes the module's weights as the average, and those of `state`, which it removes from there,
  /// to train on. Throws CheckpointError where one is missing or of another shape.
  void load_state(checkpoint::NamedTensors& state, const std::string& where);

 private:
  std::vector<Parameter> parameters_;
  std::vector<torch::Tensor> other_;  // the average, or the weights while they are exchanged
  double decay_;
};

}  // namespace heed::train
