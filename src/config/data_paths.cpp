#include "config/data_paths.h"

#include <cstdint>
#include <cstdlib>
#include <system_error>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "base/utf8.h"
#include "config/json.h"

namespace fs = std::filesystem;

namespace heed::config {
namespace {

/// A pipe will do, a directory won't.
bool readable_kind(const fs::path& file) {
  std::error_code ignored;
  const auto status = fs::status(file, ignored);
  return fs::exists(status) && !fs::is_directory(status);
}

std::vector<fs::path> places_to_look(const fs::path& folder) {
  std::vector<fs::path> places{folder.empty() ? "." : folder};
  const char* data = std::getenv("HEED_DATA");
  if (data != nullptr && *data != '\0') places.emplace_back(data);
  places.emplace_back("data");
  for (auto& place : places) place = fs::absolute(place).lexically_normal();
  return places;
}

[[noreturn]] void throw_absent(const std::string& key, const std::string& path,
                               const std::vector<fs::path>& places) {
  std::vector<std::string> names;
  for (const auto& place : places) names.push_back(place.string());
  throw DataError(fmt::format(
      "{}: {}: no such file; looked in {} (the config's folder, HEED_DATA where set, ./data)", key,
      printable(path), fmt::join(names, ", ")));
}

void throw_if_directory(const std::string& key, const std::string& path, const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_directory(file, ignored)) return;
  throw DataError(
      fmt::format("{}: {}: is a directory, expected a text file", key, printable(path)));
}

fs::path find(const std::string& key, const std::string& path,
              const std::vector<fs::path>& places) {
  if (fs::path(path).is_absolute()) {
    if (readable_kind(path)) return fs::path(path).lexically_normal();
    throw_if_directory(key, path, path);
    throw DataError(fmt::format("{}: {}: no such file", key, printable(path)));
  }
  for (const auto& place : places) {
    if (readable_kind(place / path)) return (place / path).lexically_normal();
  }
  for (const auto& place : places) throw_if_directory(key, path, place / path);
  throw_absent(key, path, places);
}

}  // namespace

void resolve_paths(const fs::path& folder, Run& run) {
  const auto places = places_to_look(folder);
  const auto resolve = [&](const std::string& key, std::string& path) {
    if (path.empty()) return;
    path = find(key, path, places).string();
    int64_t replaced = 0;
    valid_utf8(path, &replaced);
    if (replaced > 0) {
      throw DataError(fmt::format("{}: {}: the path must be UTF-8", key, printable(path)));
    }
  };
  const auto resolve_all = [&](const std::string& key, DataNames& names) {
    for (auto& name : names) resolve(key, name);
  };
  const auto resolve_split = [&](const std::string& key, Split& split) {
    resolve_all(key + ".source", split.source);
    resolve_all(key + ".target", split.target);
    resolve_all(key + ".file", split.file);
  };
  resolve_split("data.train", run.data.train);
  resolve_split("data.valid", run.data.valid);
  resolve_split("data.test", run.data.test);
  resolve("tokenizer.model", run.tokenizer.model);
  resolve("tokenizer.codes", run.tokenizer.codes);
  resolve("tokenizer.vocab_file", run.tokenizer.vocab_file);
}

}  // namespace heed::config
