#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "data/batch.h"
#include "train/objective.h"

namespace heed::train {

/// Over all predictions of a set of batches.
struct ValidationLoss {
  double loss = 0.0;      // per prediction, smoothed as in training
  double nll = 0.0;       // per prediction
  double accuracy = 0.0;  // share of predictions that are right: of tokens, or of texts
  int64_t predictions = 0;
  int64_t tokens = 0;

  double ppl() const;  // exp(nll)
};

/// Sums of all batches in double, divided once: the same for any batch size. Without dropout; the
/// module comes back in the mode it was in. batches: on the CPU. None where `stop` says so between
/// two batches. No prediction gives zeros.
std::optional<ValidationLoss> validation_loss(Objective& objective,
                                              const std::vector<data::Batch>& batches,
                                              torch::Device device,
                                              std::optional<torch::ScalarType> precision,
                                              const std::function<bool()>& stop = {});

}  // namespace heed::train
