#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace heed::text {

/// Text that comes out piece by piece: all that push() and finish() return, one after the other, is
/// decode() of all ids, byte for byte. A character whose bytes come in several pieces, or a space
/// that depends on what follows, waits for it.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  /// What the text grew by, often nothing; always whole characters.
  std::string push(int64_t id);

  /// The rest. Afterwards the next text may begin.
  std::string finish();

 private:
  std::string advance(std::size_t end);

  const Tokenizer& tokenizer_;
  std::vector<int64_t> ids_;
  std::string text_;       // of all ids
  std::size_t given_ = 0;  // bytes of it
};

}  // namespace heed::text
