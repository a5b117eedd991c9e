#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/lines.h"

namespace heed::data {

/// The parts of one line of JSON lines that a config reads.
struct JsonRecord {
  std::vector<std::string> texts;  // in the order of the names asked for
  std::string label;
  int64_t line = 0;  // from 1
};

/// JSON lines: an object on each line, blank lines skipped.
class JsonRecordReader {
 public:
  /// texts, label: the keys to read.
  JsonRecordReader(const std::string& file, std::vector<std::string> texts, std::string label);

  /// Values are strings; numbers and truth values are read as their text. Throws DataError,
  /// "FILE:LINE: ", for a line that is no object or lacks a key.
  std::optional<JsonRecord> next();
  int64_t replaced() const { return lines_.replaced(); }

 private:
  std::string file_;
  text::LineReader lines_;
  std::vector<std::string> texts_;
  std::string label_;
};

}  // namespace heed::data
