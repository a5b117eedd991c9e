#include "data/fields.h"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"

namespace heed::data {

PlainFieldReader::PlainFieldReader(const std::string& file, std::string delimiter)
    : lines_(file), delimiter_(std::move(delimiter)) {}

std::optional<Fields> PlainFieldReader::next() {
  auto line = lines_.next();
  while (line && line->find(delimiter_) == std::string::npos && text::blank(*line)) {
    line = lines_.next();
  }
  if (!line) return std::nullopt;
  Fields fields{.values = {}, .line = lines_.line()};
  std::size_t begin = 0;
  for (auto end = line->find(delimiter_); end != std::string::npos;
       end = line->find(delimiter_, begin)) {
    fields.values.push_back(line->substr(begin, end - begin));
    begin = end + delimiter_.size();
  }
  fields.values.push_back(line->substr(begin));
  return fields;
}

CsvReader::CsvReader(const std::string& file, std::string delimiter)
    : file_(file), lines_(file), delimiter_(std::move(delimiter)) {}

/// The field whose opening quote stands at `at`; takes further lines while it is open. `at` comes
/// out behind the closing quote.
std::string CsvReader::quoted(std::string& line, std::size_t& at) {
  const auto opened = lines_.line();
  std::string value;
  ++at;
  while (true) {
    const auto quote = line.find('"', at);
    if (quote == std::string::npos) {
      value.append(line, at);
      auto more = lines_.next();
      if (!more) {
        throw DataError(fmt::format(
            "{}:{}: a quote opens here and is never closed; a quote inside a field is written \"\"",
            file_, opened));
      }
      value += '\n';
      line = std::move(*more);
      at = 0;
      continue;
    }
    value.append(line, at, quote - at);
    at = quote + 1;
    if (at == line.size() || line[at] != '"') return value;
    value += '"';
    ++at;
  }
}

std::optional<Fields> CsvReader::next() {
  auto line = lines_.next();
  while (line && line->empty()) line = lines_.next();
  if (!line) return std::nullopt;
  Fields fields{.values = {}, .line = lines_.line()};
  std::size_t at = 0;
  while (true) {
    if (at < line->size() && (*line)[at] == '"') {
      fields.values.push_back(quoted(*line, at));
    } else {
      const auto end = std::min(line->find(delimiter_, at), line->size());
      fields.values.push_back(line->substr(at, end - at));
      at = end;
    }
    if (at == line->size()) return fields;
    if (line->compare(at, delimiter_.size(), delimiter_) != 0) {
      throw DataError(fmt::format(
          "{}:{}: text after the closing quote of a field; a quote inside a field is written \"\"",
          file_, lines_.line()));
    }
    at += delimiter_.size();
  }
}

}  // namespace heed::data
