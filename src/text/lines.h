#pragma once

#include <cstdint>
#include <fstream>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "text/gzip.h"

namespace heed::text {

/// Lines of a file, plain or gzipped (told by its first bytes), or of standard input for "-". Only
/// '\n' ends a line; one trailing '\r' and a leading byte order mark are dropped. Ill-formed UTF-8
/// becomes U+FFFD and is counted.
class LineReader {
 public:
  /// Throws DataError where the file can't be read.
  explicit LineReader(const std::string& file);

  /// Throws DataError, "FILE:LINE: ", where a gzipped file is damaged or ends too early.
  std::optional<std::string> next();
  std::vector<std::string> take(int64_t count);  // fewer at the end

  int64_t line() const { return line_; }          // number of the last line read, from 1
  int64_t replaced() const { return replaced_; }  // ill-formed parts so far

 private:
  bool read_line(std::string& line);

  std::string name_;
  std::ifstream file_;
  std::unique_ptr<GzipBuffer> gzip_;        // where the file is gzipped
  std::unique_ptr<std::istream> unzipped_;  // reads from gzip_
  std::istream* stream_ = nullptr;
  int64_t line_ = 0;
  int64_t replaced_ = 0;
};

/// All lines of a file; adds ill-formed parts to `*replaced`.
std::vector<std::string> read_lines(const std::string& file, int64_t* replaced);

/// The line with every control character and Unicode line break (U+0000-001F, 007F-009F, 2028,
/// 2029) as a space: what tokenizers trained by heed read.
std::string without_controls(const std::string& line);

/// Whether nothing but white space (Unicode's, and controls) is in it.
bool blank(const std::string& line);

}  // namespace heed::text
