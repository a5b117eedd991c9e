#include "config/data.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "config/choice.h"

namespace heed::config {

void Data::check(const std::string& path) const {
  check_choice(path + ".format", format, {"tsv"});
  if (text.empty()) {
    throw ConfigError(fmt::format("{}.text: must name at least one column", path));
  }
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (std::find(columns.begin(), column, *column) != column) {
      throw ConfigError(fmt::format("{}.columns: '{}' is there twice", path, *column));
    }
  }
  if (columns.empty()) return;
  for (const auto& name : text) check_choice(path + ".text", name, columns);
  check_choice(path + ".label", label, columns);
}

}  // namespace heed::config
