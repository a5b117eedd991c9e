#include "data/json_records.h"

#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/nearest.h"
#include "config/json.h"

namespace heed::data {
namespace {

using config::Json;

Json parsed(const std::string& where, const std::string& line) {
  try {
    return config::parse_json(line, where);
  } catch (const ConfigError& error) {
    std::string text = error.what();
    const auto in_line = where + ":1: ";  // a record has but one line
    if (text.starts_with(in_line)) text.replace(0, in_line.size(), where + ": ");
    throw DataError(text);
  }
}

std::string text_of(const std::string& where, const Json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    std::vector<std::string> keys;
    for (const auto& item : object.items()) keys.push_back(item.key());
    throw DataError(
        keys.empty() ? fmt::format("{}: no '{}', the object is empty", where, key)
                     : fmt::format("{}: no '{}'; did you mean '{}'? Set data.text and data.label",
                                   where, key, config::printable(nearest(key, keys))));
  }
  if (found->is_string()) return found->get<std::string>();
  if (found->is_number() || found->is_boolean()) return found->dump();
  throw DataError(fmt::format("{}: '{}' must be a string or a number, got {}", where, key,
                              config::shown(*found)));
}

}  // namespace

JsonRecordReader::JsonRecordReader(const std::string& file, std::vector<std::string> texts,
                                   std::string label)
    : file_(file), lines_(file), texts_(std::move(texts)), label_(std::move(label)) {}

std::optional<JsonRecord> JsonRecordReader::next() {
  auto line = lines_.next();
  while (line && text::blank(*line)) line = lines_.next();
  if (!line) return std::nullopt;
  const auto where = fmt::format("{}:{}", file_, lines_.line());
  const auto object = parsed(where, *line);
  if (!object.is_object()) {
    throw DataError(fmt::format("{}: must be a JSON object, got {}", where, config::shown(object)));
  }
  JsonRecord record{.texts = {}, .label = text_of(where, object, label_), .line = lines_.line()};
  for (const auto& key : texts_) record.texts.push_back(text_of(where, object, key));
  return record;
}

}  // namespace heed::data
