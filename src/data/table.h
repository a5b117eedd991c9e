#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/data.h"

namespace heed::data {

/// One labeled text of a file.
struct Record {
  std::string text;
  std::string label;
  int64_t line = 0;  // where it begins, from 1
};

struct Table {
  std::string file;
  std::vector<Record> records;
  int64_t replaced = 0;  // ill-formed UTF-8 sequences, read as U+FFFD
};

/// A file of labeled texts, fields between tabs. Its columns are named by data.columns, or by a
/// first line that holds the names of data.text and data.label; else they are label and text.
/// Throws DataError, "FILE:LINE: ", for a record with another number of columns or without a label,
/// and where there is none.
Table read_table(const std::string& file, const config::Data& config);

/// Every label that occurs, sorted by bytes: a label's id is its place.
std::vector<std::string> label_table(const Table& table);

}  // namespace heed::data
