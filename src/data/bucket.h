#pragma once

#include <cstdint>
#include <vector>

#include "data/batch.h"

namespace heed::data {

/// The batches of one epoch: places in `examples`, each exactly once. A pure function of its
/// arguments.
///
/// A batch holds at most `batch_tokens` real target tokens, EOS counted (for a classifier: source
/// tokens); an example that is longer gets a batch of its own. Examples of like length stand
/// together, so that there is little padding; which of them, and the order of the batches, is drawn
/// from (seed, epoch).
std::vector<std::vector<int64_t>> plan(const std::vector<Example>& examples, int64_t batch_tokens,
                                       int64_t seed, int64_t epoch);

/// The same batches in the order of length, nothing drawn: for evaluation.
std::vector<std::vector<int64_t>> plan_sorted(const std::vector<Example>& examples,
                                              int64_t batch_tokens);

}  // namespace heed::data
