#include "text/piece_trie.h"

namespace heed::text {

void PieceTrie::add(std::string_view piece, int32_t id) {
  uint64_t node = 0;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const auto number = static_cast<uint32_t>(nodes_.size() + 1);
    auto& next = nodes_.insert(node << 8 | static_cast<unsigned char>(piece[i]), {number, -1});
    if (i + 1 == piece.size() && next.id < 0) next.id = id;
    node = next.number;
  }
}

PieceTrie::Found PieceTrie::longest(std::string_view text) const {
  Found found;
  each_prefix(text, [&](std::size_t bytes, int32_t id) { found = {bytes, id}; });
  return found;
}

}  // namespace heed::text
