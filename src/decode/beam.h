#pragma once

#include <cstdint>
#include <vector>

#include "decode/scorer.h"

namespace heed::decode {

struct SearchOptions {
  int64_t beam_size = 5;        // 1 is greedy search
  int64_t n_best = 1;           // at most beam_size
  double length_penalty = 1.0;  // score = sum of log p / length^length_penalty, EOS counted
  int64_t begin = 2;
  int64_t end = 3;
  std::vector<int64_t> never{};  // ids that are never written (padding, BOS, unknown)
};

struct Hypothesis {
  std::vector<int64_t> ids;          // EOS included, unless it hit the limit
  std::vector<double> token_scores;  // log p of each
  double score = 0.0;                // as compared
  bool at_limit = false;             // ended by the limit, not by EOS
};

/// Beam search over sentences at once. A sentence is finished when no open hypothesis can still
/// beat the worst kept one; it then leaves the batch. Results don't depend on the other sentences.
///
/// limits: the most tokens of each sentence, EOS included; one hypothesis a sentence in `scorer` at
/// the start. -> for each sentence n_best hypotheses, distinct, best first.
std::vector<std::vector<Hypothesis>> beam_search(Scorer& scorer, const std::vector<int64_t>& limits,
                                                 const SearchOptions& options);

}  // namespace heed::decode
