#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/data_names.h"

namespace heed::data {

/// The lines of parallel files: line i of a source translates line i of its target. Of several
/// files those of one come after those of the one before.
struct Pairs {
  /// A file of each side, and which of the lines are theirs.
  struct Part {
    std::string source_file;
    std::string target_file;
    int64_t first = 0;  // place of their first line in `source` and `target`
  };

  std::string source_file;  // the first one
  std::string target_file;
  std::vector<std::string> source;
  std::vector<std::string> target;
  int64_t replaced = 0;       // ill-formed UTF-8 sequences in all, read as U+FFFD
  std::vector<Part> parts{};  // empty: one file a side

  /// The file and line, from 1, of a pair: its number is the same on both sides.
  struct Place {
    std::string source_file;
    std::string target_file;
    int64_t line = 0;
  };
  Place place(int64_t i) const;
};

/// Throws DataError where a file can't be read, or where a source and its target differ in their
/// number of lines or hold none; ConfigError where there are not as many of one side as of the
/// other.
Pairs read_pairs(const config::DataNames& source_files, const config::DataNames& target_files);

}  // namespace heed::data
