#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed::data {

/// The lines of two parallel files: line i of one translates line i of the other.
struct Pairs {
  std::string source_file;
  std::string target_file;
  std::vector<std::string> source;
  std::vector<std::string> target;
  int64_t replaced = 0;  // ill-formed UTF-8 sequences in both, read as U+FFFD
};

/// Throws DataError where a file can't be read, or where the two differ in their number of lines or
/// hold none.
Pairs read_pairs(const std::string& source_file, const std::string& target_file);

}  // namespace heed::data
