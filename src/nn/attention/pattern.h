#pragma once

#include <vector>

#include "nn/attention/core.h"

namespace heed::nn {

/// Which keys a query of self-attention may meet: those of its window, those that all meet, and
/// some at random.
struct Pattern {
  static constexpr int64_t kAll = -1;
  int64_t window = kAll;                    // keys on each side of the query; kAll: every key
  std::vector<int64_t> global_positions{};  // they see and are seen by all, as Visible.global
  int64_t random = 0;  // keys that the queries of a block, in a head, meet besides: RandomKeys
  int64_t block = 64;  // queries that share their random keys
};

/// bool [1 or B, Tk]: the tokens that see and are seen by all; undefined where there are none.
torch::Tensor global_keys(const Pattern& pattern, const Visible& visible, int64_t key_len,
                          torch::Device device);

/// Whether every query has all of these keys in its window.
bool hides_nothing(const Pattern& pattern, const CoreInput& input);

/// The whole rule, and what else is visible, as one mask: bool, broadcasts to [B, H, Tq, Tk], or
/// undefined where everything is. A [Tq, Tk] tensor: for parts, tests and single steps.
torch::Tensor pattern_mask(const Pattern& pattern, const CoreInput& input);

}  // namespace heed::nn
