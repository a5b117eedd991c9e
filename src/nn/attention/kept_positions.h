#pragma once

#include "nn/attention/score_bias.h"

namespace heed::nn {

/// Where the keys stand that a cache kept of a longer past, in the order in which it holds them:
/// the first `sinks` at their own places, the most recent ones in a ring, where position p lies at
/// sinks + (p - sinks) mod ring.
struct KeptPositions {
  int64_t sinks = 0;
  int64_t ring = 0;   // keys in it, which is full
  int64_t count = 0;  // tokens seen so far; the last of them stands at count - 1

  int64_t turn() const { return (count - sinks) % ring; }  // place of the oldest, in the ring
  int64_t oldest() const { return count - ring; }          // its position

  torch::Tensor tensor(torch::Device device) const;  // int64 [sinks + ring]
};

/// A score bias as a core sees it whose keys were kept so: key i is the i-th held.
class KeptBias final : public ScoreBias {
 public:
  KeptBias(const ScoreBias& whole, const KeptPositions& kept) : whole_(whole), kept_(kept) {}

  torch::Tensor block(int64_t query_first, int64_t query_len, int64_t key_first,
                      int64_t key_len) const override;

 private:
  const ScoreBias& whole_;
  KeptPositions kept_;
};

}  // namespace heed::nn
