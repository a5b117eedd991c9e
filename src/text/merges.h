#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/flat_map.h"

namespace heed {
class Random;
}

namespace heed::text {

using Symbol = int32_t;
inline constexpr Symbol kNoSymbol = -1;  // what no merge knows

/// One symbol of a word that is being merged, and the bytes of the word it covers, [begin, end).
struct Part {
  Symbol symbol = kNoSymbol;
  int32_t begin = 0;
  int32_t end = 0;
};

/// Which two neighbors become one symbol, the lower rank first.
class Merges {
 public:
  struct Merge {
    double rank = 0.0;
    Symbol merged = kNoSymbol;
  };

  /// rule_by_rule: as subword-nmt does, a merge is applied wherever it can be before new neighbors
  /// are looked at; else the best neighbors of the moment are next, as in SentencePiece. They
  /// differ where a merge ranks before one that it needs.
  explicit Merges(bool rule_by_rule = false) : rule_by_rule_(rule_by_rule) {}

  /// Of several merges of one pair the first stays.
  void add(Symbol left, Symbol right, const Merge& merge) {
    table_.insert(key(left, right), merge);
  }

  const Merge* find(Symbol left, Symbol right) const {
    return left < 0 || right < 0 ? nullptr : table_.find(key(left, right));
  }

  bool rule_by_rule() const { return rule_by_rule_; }

 private:
  static uint64_t key(Symbol left, Symbol right) {
    return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
  }

  bool rule_by_rule_;
  FlatMap<Merge> table_;
};

/// Byte-pair encoding (Sennrich et al., 2016): joins the parts of words, in time n log n. Keeps its
/// buffers from word to word, so each thread has its own.
class Merger {
 public:
  explicit Merger(const Merges& merges) : merges_(merges) {}

  /// Merges neighbors in `parts`, the lowest rank first, the leftmost of equals, until none is
  /// left.
  void merge(std::vector<Part>& parts);

  /// BPE-dropout (Provilkov et al., 2020): at every step each merge is left out with this
  /// probability, and a word in which all are left out is done. 0 is merge(), 1 merges nothing.
  void merge(std::vector<Part>& parts, double dropout, Random& random);

 private:
  struct Candidate {
    double rank;
    int32_t left, right;  // places in the links
    Symbol left_symbol, right_symbol, merged;
  };
  struct Link {
    int32_t before, after;  // -1 at the ends
  };
  struct Later {
    bool operator()(const Candidate& a, const Candidate& b) const {
      return a.rank != b.rank ? a.rank > b.rank : a.left > b.left;
    }
  };

  void run(std::vector<Part>& parts, double dropout, Random* random);
  void start(const std::vector<Part>& parts);
  bool stands(const std::vector<Part>& parts, const Candidate& candidate) const;
  void apply(std::vector<Part>& parts, const Candidate& candidate);
  void consider(const std::vector<Part>& parts, int32_t left, int32_t right,
                std::vector<Candidate>& out);
  void push(std::vector<Candidate>& candidates);  // to the queue; empties them

  const Merges& merges_;
  std::vector<Link> links_;
  std::vector<Candidate> queue_;    // a heap
  std::vector<Candidate> fresh_;    // found by the last merges, not yet in the queue
  std::vector<Candidate> dropped_;  // since the last merge
};

}  // namespace heed::text
