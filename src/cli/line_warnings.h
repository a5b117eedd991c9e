#pragma once

#include <cstdint>
#include <string>

#include "pipeline/overlong.h"
#include "text/lines.h"

namespace heed::cli {

/// Lines read before they are worked on: enough to sort by length; results keep the input's order.
inline constexpr int64_t kLinesAtOnce = 4096;

/// Counts what was done to input lines, and says so once, at the end.
class LineWarnings {
 public:
  void count(const pipeline::EncodedLine& line) { count_truncated(line.truncated()); }
  void count_truncated(bool truncated) { truncated_ += truncated ? 1 : 0; }

  /// file, max_len: named in the texts. replaced: ill-formed parts of the file.
  void report(const std::string& file, int64_t max_len, int64_t replaced) const;

 private:
  int64_t truncated_ = 0;
};

/// "-" as a person calls it.
std::string input_name(const std::string& file);

}  // namespace heed::cli
