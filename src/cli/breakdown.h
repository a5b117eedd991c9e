#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/json.h"
#include "pipeline/overlong.h"

namespace heed::cli {

/// Tokens of each source line, and how many of its words the training text doesn't have.
struct SourceCounts {
  std::vector<int64_t> length;
  std::vector<int64_t> unknown;  // empty: not known

  /// unknown_words: of every line, this one's at `place`; empty: not known.
  void add(const pipeline::EncodedLine& line, const std::vector<int64_t>& unknown_words,
           std::size_t place);
};

/// Writes the scores of the lines at `places` into `row`.
using ScoreLines = std::function<void(const std::vector<std::size_t>& places, config::Json& row)>;

/// {"length": rows, "unknown": rows}: a row {from, to, sentences, ...} for each stretch of lengths,
/// or numbers of unknown words where they are known, that has lines. `to` is included; null:
/// without an end.
config::Json breakdown_json(const SourceCounts& source, const ScoreLines& score);

/// They as tables for a person, in 80 columns.
std::string breakdown_text(const config::Json& breakdown);

}  // namespace heed::cli
