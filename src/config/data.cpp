#include "config/data.h"

#include <algorithm>
#include <string_view>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/utf8.h"
#include "config/choice.h"
#include "config/json.h"

namespace heed::config {
namespace {

void check_named(const std::string& path, const DataNames& names) {
  if (std::ranges::find(names, std::string()) == names.end()) return;
  throw ConfigError(fmt::format("{}: a name in the list is empty", path));
}

void check_delimiter(const std::string& path, const Data& data) {
  if (data.delimiter.empty()) return;
  if (data.format == "jsonl") {
    throw ConfigError(fmt::format("{}: jsonl has none; only tsv and csv read it", path));
  }
  const auto characters = code_points(data.delimiter);
  const bool parts_lines =
      characters[0] == U'"' || characters[0] == U'\n' || characters[0] == U'\r';
  if (characters.size() == 1 && !parts_lines) return;
  throw ConfigError(fmt::format("{}: must be one character, no quote and no line end, got \"{}\"",
                                path, printable(data.delimiter)));
}

void check_columns(const std::string& path, const Data& data) {
  const auto& columns = data.columns;
  if (!columns.empty() && data.format == "jsonl") {
    throw ConfigError(
        fmt::format("{}.columns: jsonl names its own; only tsv and csv read it", path));
  }
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (std::find(columns.begin(), column, *column) != column) {
      throw ConfigError(fmt::format("{}.columns: '{}' is there twice", path, *column));
    }
  }
  if (columns.empty()) return;
  for (const auto& name : data.text) check_choice(path + ".text", name, columns);
  if (!data.second.empty()) check_choice(path + ".second", data.second, columns);
  check_choice(path + ".label", data.label, columns);
}

/// A prefix is part of a line, so no line may end in it.
void check_prefix(const std::string& path, const std::string& prefix) {
  if (prefix.find_first_of("\n\r") == std::string::npos) return;
  throw ConfigError(fmt::format("{}: must not hold a line end", path));
}

}  // namespace

void Split::check(const std::string& path) const {
  check_named(path + ".source", source);
  check_named(path + ".target", target);
  check_named(path + ".file", file);
  if (source.empty() || target.empty() || source.size() == target.size()) return;
  throw ConfigError(
      fmt::format("{0}.target: must be as many files as {0}.source, which are {1}, got {2}", path,
                  source.size(), target.size()));
}

void Data::check(const std::string& path) const {
  check_choice(path + ".format", format, {"tsv", "csv", "jsonl"});
  check_delimiter(path + ".delimiter", *this);
  check_named(path + ".text", text);
  if (text.empty()) {
    throw ConfigError(fmt::format("{}.text: must name at least one column", path));
  }
  check_columns(path, *this);
  check_prefix(path + ".source_prefix", source_prefix);
  check_prefix(path + ".target_prefix", target_prefix);
  if (max_ratio > 0.0 && max_ratio < 1.0) {
    throw ConfigError(fmt::format(
        "{}.max_ratio: must be 0 (any) or at least 1, the longer side over the shorter, got {}",
        path, max_ratio));
  }
}

std::string Data::field_delimiter() const {
  if (!delimiter.empty()) return delimiter;
  return format == "csv" ? "," : "\t";
}

}  // namespace heed::config
