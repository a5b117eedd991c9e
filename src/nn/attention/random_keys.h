#pragma once

#include <vector>

#include "nn/attention/pattern.h"

namespace heed::nn {

/// The random keys of a pattern (Zaheer et al., 2020, section 2), https://arxiv.org/abs/2007.14062:
/// those that the queries of a block, in a head, meet besides. Drawn without replacement from the
/// keys that no query of the block has in its window and that are not global; all of them where
/// they are no more than asked for. A pure function of head, block and the keys there are to choose
/// from, so neither padding nor the batch changes them. Waits for the device where lengths or marks
/// of global tokens lie on one.
class RandomKeys {
 public:
  RandomKeys(const Pattern& pattern, const Visible& visible, int64_t heads, int64_t key_len,
             torch::Device device);

  /// -> int64 [1 or B, H, random], -1 where there are no more: under causality from the blocks
  /// before, otherwise from all of the sequence
  torch::Tensor of_block(int64_t block) const;

 private:
  /// The keys of a row of the batch.
  struct Row {
    int64_t len = 0;
    std::vector<int64_t> globals{};  // in order
  };

  const Pattern& pattern_;
  bool causal_;
  int64_t heads_;
  torch::Device device_;
  std::vector<Row> rows_;  // one where all are alike
};

}  // namespace heed::nn
