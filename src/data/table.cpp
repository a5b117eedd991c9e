#include "data/table.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "text/lines.h"

namespace heed::data {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t begin = 0;
  for (auto tab = line.find('\t'); tab != std::string::npos; tab = line.find('\t', begin)) {
    fields.push_back(line.substr(begin, tab - begin));
    begin = tab + 1;
  }
  fields.push_back(line.substr(begin));
  return fields;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether `fields` name every column that the config reads.
bool header(const std::vector<std::string>& fields, const config::Data& config) {
  return holds(fields, config.label) &&
         std::ranges::all_of(config.text, [&](const auto& name) { return holds(fields, name); });
}

/// Where the columns that matter stand.
struct Columns {
  std::vector<std::string> names;
  std::vector<std::size_t> text;
  std::size_t label = 0;

  Columns(std::vector<std::string> all, const config::Data& config) : names(std::move(all)) {
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    for (const auto& name : config.text) text.push_back(place(name));
    label = place(config.label);
  }
};

/// The columns of a file without a header and without names in the config: label, then text.
Columns unnamed(const std::string& file, const std::vector<std::string>& first,
                const config::Data& config) {
  if (config.text.size() == 1) return {{config.label, config.text[0]}, config};
  throw DataError(fmt::format("{}:1: no columns '{}' and '{}' in '{}'; name them in data.columns",
                              file, config.label, fmt::join(config.text, "', '"),
                              fmt::join(first, "\t")));
}

Record record_of(const std::string& where, const std::vector<std::string>& fields,
                 const Columns& columns) {
  if (fields.size() != columns.names.size()) {
    throw DataError(fmt::format("{}: {} columns, expected {} ({})", where, fields.size(),
                                columns.names.size(), fmt::join(columns.names, ", ")));
  }
  Record record{.text = {}, .label = fields[columns.label]};
  if (text::blank(record.label)) {
    throw DataError(fmt::format("{}: an empty label; every text needs one", where));
  }
  for (const auto column : columns.text) {
    record.text += (record.text.empty() ? "" : " ") + fields[column];
  }
  return record;
}

}  // namespace

Table read_table(const std::string& file, const config::Data& config) {
  Table table{.file = file, .records = {}};
  const auto lines = text::read_lines(file, &table.replaced);
  if (lines.empty()) throw DataError(file + ": no lines; a label and a text on each are needed");

  const auto first = fields_of(lines[0]);
  const bool named = !config.columns.empty();
  const bool headed = !named && header(first, config);
  const auto columns = named    ? Columns(config.columns, config)
                       : headed ? Columns(first, config)
                                : unnamed(file, first, config);
  for (std::size_t i = headed ? 1 : 0; i < lines.size(); ++i) {
    const auto where = fmt::format("{}:{}", file, i + 1);
    table.records.push_back(record_of(where, fields_of(lines[i]), columns));
    table.records.back().line = static_cast<int64_t>(i) + 1;
  }
  if (table.records.empty()) throw DataError(file + ": a header, but no line of text after it");
  return table;
}

std::vector<std::string> label_table(const Table& table) {
  std::set<std::string> labels;
  for (const auto& record : table.records) labels.insert(record.label);
  return {labels.begin(), labels.end()};
}

}  // namespace heed::data
