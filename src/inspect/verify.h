#pragma once

#include <vector>

#include "config/run.h"
#include "inspect/verify_check.h"
#include "inspect/verify_subject.h"
#include "pipeline/run.h"

namespace heed::inspect {

/// A trained model.
Verified verified(const pipeline::Run& run);

/// A fresh model of the config's shape, tokenizer.vocab_size pieces, and 3 classes where it
/// classifies. Throws ConfigError where the shape can't be.
Verified verified(const config::Run& config, torch::Device device);

/// The checklist, in order: shapes, masks, order, batches, caches, modes, the state at
/// initialization, gradients, and what is left after saving. Weights are as before, gradients are
/// gone, and LibTorch's generator has moved on. A check that LibTorch breaks off has failed.
std::vector<Check> verify(const Verified& verified);

}  // namespace heed::inspect
