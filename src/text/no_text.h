#pragma once

#include <cstdint>
#include <string>

#include "base/counted.h"
#include "text/tokenizer.h"

namespace heed::text {

/// Why a tokenizer can't be trained on so many lines, of which `too_long` are over kLongestLine
/// bytes and the others empty.
inline std::string no_text(int64_t lines, int64_t too_long = 0) {
  const std::string text = "tokenizer: no text to train on: ";
  if (lines == 0) return text + "there is no line";
  const auto bytes = std::to_string(kLongestLine);
  const auto all = text + counted(lines, "line") + (lines == 1 ? ", " : ", all of them ");
  if (too_long == 0) return all + "empty";
  if (too_long == lines) return all + "longer than " + bytes + " bytes";
  return all + "empty or longer than " + bytes + " bytes";
}

}  // namespace heed::text
