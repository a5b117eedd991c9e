#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/batch.h"

namespace heed::data {

/// Tokens of an example, EOS counted.
struct Shape {
  int32_t source = 0;
  int32_t target = 0;  // 0 for a classifier

  /// What batch_tokens counts: target tokens, of a classifier source tokens.
  int32_t counted() const { return target > 0 ? target : source; }
};

std::vector<Shape> shapes_of(const std::vector<Example>& examples);

/// Places of examples, batch by batch.
using Plan = std::vector<std::vector<int64_t>>;

/// The batches of one epoch: places in `shapes`, each exactly once. A pure function of its
/// arguments; `block` names the part of the epoch where it has several.
///
/// A batch holds at most `batch_tokens` counted tokens; an example that is longer gets a batch of
/// its own. Examples of like length on both sides stand together, so that there is little padding;
/// which of them, and the order of the batches, is drawn from (seed, epoch, block).
Plan plan(std::span<const Shape> shapes, int64_t batch_tokens, int64_t seed, int64_t epoch,
          int64_t block = 0);

/// Batches in the order of length, nothing drawn: for evaluation.
Plan plan_sorted(std::span<const Shape> shapes, int64_t batch_tokens);
Plan plan_sorted(const std::vector<Example>& examples, int64_t batch_tokens);

}  // namespace heed::data
