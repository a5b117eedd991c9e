#pragma once

#include <cstdint>
#include <vector>

#include "base/torch.h"

namespace heed::data {

/// One line (pair) as ids, without special tokens.
struct Example {
  std::vector<int64_t> source;
  std::vector<int64_t> target;  // empty for a classifier
  int64_t label = -1;           // -1 for a translator
  int64_t index = 0;            // its place in the corpus; names its randomness
};

/// Ids and lengths; models turn them into what attention may see. Lengths stay on the CPU, so that
/// counting tokens waits for no device.
struct Batch {
  torch::Tensor source;          // int64 [B, Ts], EOS last, then padding
  torch::Tensor source_lengths;  // int64 [B], EOS counted
  torch::Tensor target_in;       // int64 [B, Tt], BOS first; undefined for a classifier
  torch::Tensor target_out;      // int64 [B, Tt], EOS last
  torch::Tensor target_lengths;  // int64 [B], EOS counted
  torch::Tensor labels;          // int64 [B]; undefined for a translator
  torch::Tensor examples;        // int64 [B], Example::index
  int64_t source_tokens = 0;     // real ones, EOS included
  int64_t target_tokens = 0;     // real ones, EOS included; for a classifier 0
  int64_t size() const { return source.size(0); }

  Batch to(torch::Device device) const;  // lengths stay
};

/// Throws std::logic_error for no example.
Batch collate(const std::vector<const Example*>& examples);

}  // namespace heed::data
