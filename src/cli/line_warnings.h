#pragma once

#include <cstdint>
#include <string>

#include "pipeline/overlong.h"
#include "text/lines.h"

namespace heed::cli {

/// Lines read before they are worked on: enough to sort by length, and one for a person who types;
/// results keep the input's order.
int64_t lines_at_once(const std::string& input);

/// Counts what was done to input lines, and says so once, at the end.
class LineWarnings {
 public:
  void count(const pipeline::EncodedLine& line);
  void count_unknown(int64_t tokens) {
    with_unknown_ += tokens > 0 ? 1 : 0;
    unknown_ += tokens;
  }
  void count_truncated(bool truncated) { truncated_ += truncated ? 1 : 0; }
  void count_at_limit(bool at_limit) { at_limit_ += at_limit ? 1 : 0; }

  /// file, max_len: named in the texts. replaced: ill-formed parts of the file.
  void report(const std::string& file, int64_t max_len, int64_t replaced) const;

 private:
  int64_t truncated_ = 0;
  int64_t split_ = 0;
  int64_t at_limit_ = 0;
  int64_t with_unknown_ = 0;  // lines
  int64_t unknown_ = 0;       // tokens in them
};

/// "-" as a person calls it.
std::string input_name(const std::string& file);

}  // namespace heed::cli
