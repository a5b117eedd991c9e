#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/flat_map.h"

namespace heed::text {

/// Which of many pieces a text begins with.
class PieceTrie {
 public:
  /// Of several equal pieces the first stays. An empty piece is never found.
  void add(std::string_view piece, int32_t id);

  /// Calls take(bytes, id) for each piece that `text` begins with, the shortest first.
  template <typename Take>
  void each_prefix(std::string_view text, Take take) const {
    uint64_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto* next = nodes_.find(node << 8 | static_cast<unsigned char>(text[i]));
      if (next == nullptr) return;
      node = next->number;
      if (next->id >= 0) take(i + 1, next->id);
    }
  }

  /// Bytes of the longest piece that `text` begins with, and its id; 0 and -1 where there is none.
  struct Found {
    std::size_t bytes = 0;
    int32_t id = -1;
  };
  Found longest(std::string_view text) const;

  bool empty() const { return nodes_.size() == 0; }

 private:
  struct Node {
    uint32_t number = 0;
    int32_t id = -1;  // of the piece that ends here
  };

  FlatMap<Node> nodes_;  // by the number of the node before and the byte that leads on
};

}  // namespace heed::text
