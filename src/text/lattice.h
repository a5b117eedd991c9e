#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heed {
class Random;
}

namespace heed::text {

/// All ways to cut a word into pieces, each as probable as the product of its pieces' probabilities
/// to the power of alpha (subword regularization; Kudo, 2018). Keeps its buffers from word to word.
class Lattice {
 public:
  /// A word of so many bytes, without pieces yet.
  void start(int64_t bytes);

  /// A piece that covers [begin, end) of the word's bytes. In the order of `begin`.
  void add(int64_t begin, int64_t end, int32_t id, double log_probability);

  struct Piece {
    int32_t begin = 0;
    int32_t end = 0;
    int32_t id = 0;
  };

  /// One way, drawn by filtering forward and sampling backward. The pieces must lead from end to
  /// end of the word.
  std::vector<Piece> sample(double alpha, Random& random);

 private:
  struct Edge {
    Piece piece;
    double log_probability;
    int32_t earlier;  // the edge before it that ends where it does; -1: none
  };

  void sum(double alpha);

  std::vector<Edge> edges_;
  std::vector<int32_t> last_;    // by place: the last edge that ends there
  std::vector<double> log_sum_;  // by place: of all ways to get there
};

}  // namespace heed::text
