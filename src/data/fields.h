#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "text/lines.h"

namespace heed::data {

/// One record of a file of delimited fields.
struct Fields {
  std::vector<std::string> values;
  int64_t line = 0;  // where it begins, from 1
};

/// The records of a file, one after the other.
class FieldReader {
 public:
  virtual ~FieldReader() = default;

  /// None at the end. Throws DataError, "FILE:LINE: ".
  virtual std::optional<Fields> next() = 0;
  virtual int64_t replaced() const = 0;  // ill-formed UTF-8 so far
};

/// Fields are what stands between delimiters; a record is a line, quotes are ordinary text. Blank
/// lines without a delimiter are skipped.
class PlainFieldReader final : public FieldReader {
 public:
  PlainFieldReader(const std::string& file, std::string delimiter);
  std::optional<Fields> next() override;
  int64_t replaced() const override { return lines_.replaced(); }

 private:
  text::LineReader lines_;
  std::string delimiter_;
};

/// CSV (RFC 4180): a field in double quotes may hold delimiters, line ends (read as '\n') and,
/// twice each, quotes. A quote inside an unquoted field is ordinary text; empty lines are skipped.
class CsvReader final : public FieldReader {
 public:
  CsvReader(const std::string& file, std::string delimiter);
  std::optional<Fields> next() override;
  int64_t replaced() const override { return lines_.replaced(); }

 private:
  std::string quoted(std::string& line, std::size_t& at);

  std::string file_;
  text::LineReader lines_;
  std::string delimiter_;
};

}  // namespace heed::data
