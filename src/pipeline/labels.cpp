#include "pipeline/labels.h"

#include <set>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/files.h"
#include "config/fields.h"

namespace heed::pipeline {
namespace {

std::filesystem::path labels_file(const std::filesystem::path& run) { return run / "labels.json"; }

bool distinct_strings(const config::Json& json) {
  if (!json.is_array() || json.empty()) return false;
  std::set<std::string> seen;
  for (const auto& label : json) {
    if (!label.is_string() || !seen.insert(label.get<std::string>()).second) return false;
  }
  return true;
}

}  // namespace

void save_labels(const std::filesystem::path& run, const std::vector<std::string>& labels) {
  const auto text =
      config::Json(labels).dump(1, ' ', false, config::Json::error_handler_t::replace);
  replace_file(labels_file(run), text + "\n");
}

std::vector<std::string> load_labels(const std::filesystem::path& run) {
  const auto file = labels_file(run);
  std::string text;
  try {
    text = read_file(file);
  } catch (const DataError& error) {
    throw CheckpointError(error.what());
  }
  const auto json = config::Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !distinct_strings(json)) {
    throw CheckpointError(
        fmt::format("{}: damaged: must be a JSON list of distinct labels", file.string()));
  }
  return json.get<std::vector<std::string>>();
}

}  // namespace heed::pipeline
