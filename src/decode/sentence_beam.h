#pragma once

#include <cstdint>
#include <vector>

#include "decode/beam.h"

namespace heed::decode {

/// The beam of one sentence: its open hypotheses, the finished ones it keeps, and how they came
/// about. Pure bookkeeping; numbers come from outside.
class SentenceBeam {
 public:
  /// A hypothesis that is still being written.
  struct Open {
    double sum = 0.0;     // of log p
    int64_t node = -1;    // its last token; -1 = begin
    int64_t parent = 0;   // which open hypothesis of the step before it extends
    int64_t last_id = 0;  // its last token
  };

  SentenceBeam(int64_t limit, const SearchOptions& options);

  /// One step. ids, values: for each open hypothesis its `k` best next tokens, as top_k gives them;
  /// k is at least 2 * beam_size + the number of ids never written, or the whole vocabulary.
  void advance(const int64_t* ids, const float* values, int64_t k);

  const std::vector<Open>& open() const { return open_; }  // best first, at most beam_size

  /// No open hypothesis can still beat the worst of n_best kept ones.
  bool finished() const;

  /// The kept ones, best first.
  std::vector<Hypothesis> results() const;

 private:
  struct Candidate {
    double sum;
    int64_t parent;
    int64_t id;
    double log_p;
  };
  struct Node {
    int64_t parent;
    int64_t id;
    double log_p;
  };
  struct Kept {
    double score;
    int64_t node;
    bool at_limit;
  };

  std::vector<Candidate> candidates(const int64_t* ids, const float* values, int64_t k) const;
  int64_t add_node(const Candidate& candidate);
  void keep(double sum, int64_t node, bool at_limit);

  const SearchOptions& options_;
  int64_t limit_;
  int64_t length_ = 0;
  std::vector<Open> open_{Open{}};
  std::vector<Kept> kept_;   // best first, at most n_best
  std::vector<Node> nodes_;  // a tree of all hypotheses, by back pointers
};

}  // namespace heed::decode
