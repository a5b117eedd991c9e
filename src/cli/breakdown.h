#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/json.h"
#include "pipeline/overlong.h"

namespace heed::cli {

/// Tokens of each source line, and how many of them the vocabulary doesn't have.
struct SourceCounts {
  std::vector<int64_t> length;
  std::vector<int64_t> unknown;

  void add(const pipeline::EncodedLine& line);
};

/// Writes the scores of the lines at `places` into `row`.
using ScoreLines = std::function<void(const std::vector<std::size_t>& places, config::Json& row)>;

/// {"length": rows, "unknown": rows}: a row {from, to, sentences, ...} for each stretch of lengths,
/// or numbers of unknown tokens, that has lines. `to` is included; null: without an end.
config::Json breakdown_json(const SourceCounts& source, const ScoreLines& score);

/// The two as tables for a person, in 80 columns.
std::string breakdown_text(const config::Json& breakdown);

}  // namespace heed::cli
