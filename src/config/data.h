#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/data_names.h"
#include "config/range.h"

namespace heed::config {

/// Files of one split, plain or gzipped; several are read one after the other. Relative paths are
/// looked for in the config's folder, then in HEED_DATA, then in ./data; the resolved config holds
/// absolute ones.
struct Split {
  DataNames source{};  // translate: a line each; as many files as target has
  DataNames target{};
  DataNames file{};  // classify: a record each

  bool operator==(const Split&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("source", self.source);
    visit("target", self.target);
    visit("file", self.file);
  }
  void check(const std::string& path) const;
};

struct Data {
  Split train{};
  Split valid{};
  Split test{};
  std::string format = "tsv";          // classify: tsv (label, text), csv (RFC 4180) or jsonl
  std::string delimiter{};             // between fields; empty: a tab in tsv, a comma in csv
  std::vector<std::string> columns{};  // names, where a file has no header
  DataNames text = "text";             // columns of the text; several are joined by a space
  std::string second{};                // column of a second text; empty: there is none
  std::string label = "label";         // column of the label
  std::string source_prefix{};         // translate: put before every source, and a space between
  std::string target_prefix{};         // likewise before every target
  int64_t max_len = 256;               // tokens of a text, special tokens on top
  double max_ratio = 0.0;              // translate: longer over shorter side, in tokens; 0: any

  bool operator==(const Data&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("train", self.train);
    visit("valid", self.valid);
    visit("test", self.test);
    visit("format", self.format);
    visit("delimiter", self.delimiter);
    visit("columns", self.columns);
    visit("text", self.text);
    visit("second", self.second);
    visit("label", self.label);
    visit("source_prefix", self.source_prefix);
    visit("target_prefix", self.target_prefix);
    visit("max_len", self.max_len, Range{1, 1048576});
    visit("max_ratio", self.max_ratio, at_least(0));
  }
  void check(const std::string& path) const;

  /// What stands between two fields of a record.
  std::string field_delimiter() const;
};

}  // namespace heed::config
