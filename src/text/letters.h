#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heed::text {

/// Bytes of the character that begins `text`, which is well-formed UTF-8 and not empty.
inline std::size_t letter_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(bytes, text.size());
}

/// The bytes of one character as a number; `mark`, 0 or 1, tells two uses of a character apart.
inline uint64_t letter_key(std::string_view letter, uint64_t mark = 0) {
  uint64_t key = mark;
  for (const unsigned char byte : letter) key = key << 8 | byte;
  return key;
}

}  // namespace heed::text
