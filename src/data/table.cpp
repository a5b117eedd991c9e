#include "data/table.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/one_line.h"
#include "base/utf8.h"
#include "data/fields.h"
#include "data/json_records.h"
#include "data/text_pair.h"
#include "text/characters.h"
#include "text/lines.h"

namespace heed::data {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether `fields` name every column that the config reads.
bool header(const std::vector<std::string>& fields, const config::Data& config) {
  return holds(fields, config.label) && (config.second.empty() || holds(fields, config.second)) &&
         std::ranges::all_of(config.text, [&](const auto& name) { return holds(fields, name); });
}

/// Where the columns that matter stand.
struct Columns {
  std::vector<std::string> names;
  std::vector<std::size_t> text;
  std::vector<std::size_t> second;  // one or none
  std::size_t label = 0;

  Columns(std::vector<std::string> all, const config::Data& config) : names(std::move(all)) {
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    for (const auto& name : config.text) text.push_back(place(name));
    if (!config.second.empty()) second.push_back(place(config.second));
    label = place(config.label);
  }
};

/// For a first record that does not name all the columns that are read: a header, if it names some.
[[noreturn]] void throw_unnamed(const std::string& where, const std::vector<std::string>& first,
                                const std::vector<std::string>& names, const config::Data& config) {
  std::vector<std::string> absent;
  for (const auto& name : names) {
    if (!holds(first, name)) absent.push_back(name);
  }
  const auto shown = on_one_line(fmt::format("{}", fmt::join(first, config.field_delimiter())));
  const auto* columns = absent.size() == 1 ? "column" : "columns";
  if (absent.size() == names.size()) {
    throw DataError(fmt::format("{}: no {} '{}' in '{}'; name them in data.columns", where, columns,
                                fmt::join(absent, "', '"), shown));
  }
  throw DataError(fmt::format(
      "{}: no {} '{}' in '{}'; did you mean '{}'? Set data.text{} and "
      "data.label",
      where, columns, fmt::join(absent, "', '"), shown, on_one_line(nearest(absent.front(), first)),
      config.second.empty() ? "" : ", data.second"));
}

/// The columns of a file without a header and without names in the config: label, then text, then
/// the second text.
Columns unnamed(const std::string& where, const std::vector<std::string>& first,
                const config::Data& config) {
  std::vector<std::string> names{config.label};
  names.insert(names.end(), config.text.begin(), config.text.end());
  if (!config.second.empty()) names.push_back(config.second);
  if (config.text.size() == 1 && config.format == "tsv") return {names, config};
  throw_unnamed(where, first, names, config);
}

/// Columns without text leave no space.
std::string joined(std::vector<std::string> texts) {
  std::erase(texts, "");
  return fmt::format("{}", fmt::join(texts, " "));
}

/// A label is a cell of a table and a line of output.
void check_label(const std::string& where, const std::string& label) {
  if (text::blank(label)) {
    throw DataError(fmt::format("{}: an empty label; every text needs one", where));
  }
  if (std::ranges::none_of(code_points(label), text::is_control)) return;
  throw DataError(fmt::format(
      "{}: the label '{}' holds a line end, tab or other control character; take it out", where,
      on_one_line(label)));
}

void add_record(const std::string& where, std::vector<std::string> texts, const std::string* second,
                Record record, Table& table) {
  check_label(where, record.label);
  record.text = joined(std::move(texts));
  if (second != nullptr) record.text = pair_line(record.text, *second);
  table.records.push_back(std::move(record));
}

void read_fields(const std::string& file, FieldReader& reader, const config::Data& config,
                 Table& table) {
  auto fields = reader.next();
  if (!fields) throw DataError(file + ": no lines; a label and a text on each are needed");

  const bool named = !config.columns.empty();
  const bool headed = named ? fields->values == config.columns : header(fields->values, config);
  const auto columns =
      named    ? Columns(config.columns, config)
      : headed ? Columns(fields->values, config)
               : unnamed(fmt::format("{}:{}", file, fields->line), fields->values, config);
  if (headed) fields = reader.next();
  if (!fields) throw DataError(file + ": a header, but no line of text after it");
  for (; fields; fields = reader.next()) {
    const auto& values = fields->values;
    const auto where = fmt::format("{}:{}", file, fields->line);
    if (values.size() != columns.names.size()) {
      throw DataError(fmt::format("{}: {}, expected {} ({})", where,
                                  counted(std::ssize(values), "column"), columns.names.size(),
                                  fmt::join(columns.names, ", ")));
    }
    std::vector<std::string> texts;
    for (const auto column : columns.text) texts.push_back(values[column]);
    add_record(where, std::move(texts),
               columns.second.empty() ? nullptr : &values[columns.second[0]],
               {.text = {},
                .label = values[columns.label],
                .line = fields->line,
                .file = std::ssize(table.files) - 1},
               table);
  }
  table.replaced += reader.replaced();
}

void read_json(const std::string& file, const config::Data& config, Table& table) {
  auto names = config.text.all();
  if (!config.second.empty()) names.push_back(config.second);
  JsonRecordReader reader(file, names, config.label);
  const auto before = table.records.size();
  while (auto record = reader.next()) {
    auto& texts = record->texts;
    std::string second;
    if (!config.second.empty()) {
      second = std::move(texts.back());
      texts.pop_back();
    }
    add_record(fmt::format("{}:{}", file, record->line), std::move(texts),
               config.second.empty() ? nullptr : &second,
               {.text = {},
                .label = record->label,
                .line = record->line,
                .file = std::ssize(table.files) - 1},
               table);
  }
  if (table.records.size() == before) {
    throw DataError(file + ": no lines; a JSON object on each is needed");
  }
  table.replaced += reader.replaced();
}

}  // namespace

Table read_table(const config::DataNames& files, const config::Data& config) {
  if (files.empty()) throw std::logic_error("a table is read from a file at least");
  Table table{.file = files[0], .records = {}};
  for (const auto& file : files) {
    table.files.push_back(file);
    if (config.format == "jsonl") {
      read_json(file, config, table);
    } else if (config.format == "csv") {
      CsvReader reader(file, config.field_delimiter());
      read_fields(file, reader, config, table);
    } else {
      PlainFieldReader reader(file, config.field_delimiter());
      read_fields(file, reader, config, table);
    }
  }
  return table;
}

std::vector<std::string> label_table(const Table& table) {
  std::set<std::string> labels;
  for (const auto& record : table.records) labels.insert(record.label);
  return {labels.begin(), labels.end()};
}

}  // namespace heed::data
