#pragma once

#include <cstdint>
#include <vector>

#include "data/batch.h"
#include "data/bucket.h"

namespace heed::data {

/// Many examples in little memory: ids as int32 in one array, and where each begins.
class Packed {
 public:
  void add(const Example& example);

  int64_t size() const { return std::ssize(index_); }
  Example operator[](int64_t place) const;

  /// Example::index of one.
  int64_t index(int64_t place) const { return index_[place]; }

  /// Tokens of each, in order.
  std::vector<Shape> shapes() const;

 private:
  std::vector<int32_t> ids_;       // source, then target
  std::vector<int64_t> begin_{0};  // of each example in ids_, and the end of the last
  std::vector<int32_t> source_;    // length
  std::vector<int32_t> label_;
  std::vector<int64_t> index_;
};

}  // namespace heed::data
