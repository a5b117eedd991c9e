#pragma once

#include <vector>

#include "decode/beam.h"

namespace heed::decode {

/// Beam search with one hypothesis, which ends at its first EOS: the best token of every step.
/// Arguments and result as for beam_search.
std::vector<std::vector<Hypothesis>> greedy_search(Scorer& scorer,
                                                   const std::vector<int64_t>& limits,
                                                   const SearchOptions& options);

}  // namespace heed::decode
