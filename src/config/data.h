#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/range.h"

namespace heed::config {

/// Files of one split. Relative paths are looked for in the config's folder, then in HEED_DATA,
/// then in ./data; the resolved config holds absolute ones.
struct Split {
  std::string source{};  // translate: a line each
  std::string target{};
  std::string file{};  // classify: a record each

  bool operator==(const Split&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("source", self.source);
    visit("target", self.target);
    visit("file", self.file);
  }
};

struct Data {
  Split train{};
  Split valid{};
  Split test{};
  std::string format = "tsv";                // classify: tsv (label, text)
  std::vector<std::string> columns{};        // names, where a file has no header
  std::vector<std::string> text = {"text"};  // columns of the text; several are joined by a space
  std::string label = "label";               // column of the label
  int64_t max_len = 256;                     // tokens of a text, special tokens on top

  bool operator==(const Data&) const = default;

  static void fields(auto& self, auto&& visit) {
    visit("train", self.train);
    visit("valid", self.valid);
    visit("test", self.test);
    visit("format", self.format);
    visit("columns", self.columns);
    visit("text", self.text);
    visit("label", self.label);
    visit("max_len", self.max_len, Range{1, 1048576});
  }
  void check(const std::string& path) const;
};

}  // namespace heed::config
