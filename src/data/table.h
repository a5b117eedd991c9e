#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/data.h"

namespace heed::data {

/// One labeled text of a file; with data.second its line is FIRST<TAB>SECOND (pair_line).
struct Record {
  std::string text;
  std::string label;
  int64_t line = 0;  // where it begins, from 1
  int64_t file = 0;  // place of its file in Table::files
};

struct Table {
  std::string file;  // the first one
  std::vector<Record> records;
  int64_t replaced = 0;              // ill-formed UTF-8 sequences, read as U+FFFD
  std::vector<std::string> files{};  // empty: `file` alone

  const std::string& file_of(const Record& record) const {
    return files.empty() ? file : files.at(record.file);
  }
};

/// Files of labeled texts, in the format of data.format. The columns of tsv and csv are named by
/// data.columns, or by a first record that holds the names the config reads; else those of tsv are
/// label and text. A line of jsonl is an object with these names; numbers and truth values are read
/// as their text.
/// Blank lines are skipped. Throws DataError, "FILE:LINE: ", for a record with another number of
/// columns, without a label or a text, or with control characters in its label, and for a file
/// without records.
Table read_table(const config::DataNames& files, const config::Data& config);

/// Every label that occurs, sorted by bytes: a label's id is its place.
std::vector<std::string> label_table(const Table& table);

}  // namespace heed::data
