#include "checkpoint/manifest.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <system_error>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace fs = std::filesystem;

namespace heed::checkpoint {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void throw_damaged(const fs::path& file, const std::string& what) {
  throw CheckpointError(fmt::format("{}: {}", file.string(), what));
}

Json read_json(const fs::path& file) {
  try {
    return Json::parse(read_file(file));
  } catch (const DataError& error) {
    throw CheckpointError(error.what());
  } catch (const Json::exception&) {
    throw_damaged(file, "damaged: no JSON");
  }
}

}  // namespace

std::string make_manifest(const fs::path& dir) {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(dir)) files.insert(entry.path());
  auto entries = Json::object();
  for (const auto& file : files) {
    entries[file.filename().string()] = {{"size", fs::file_size(file)},
                                         {"checksum", checksum_of_file(file)}};
  }
  return Json{{"files", entries}}.dump(2) + "\n";
}

Manifest::Manifest(const fs::path& dir) : dir_(dir) {
  const auto file = dir / kManifest;
  const auto json = read_json(file);
  try {
    for (const auto& item : json.at("files").items()) {
      entries_.push_back({.file = item.key(),
                          .size = item.value().at("size").get<uint64_t>(),
                          .checksum = item.value().at("checksum").get<std::string>()});
    }
  } catch (const Json::exception&) {
    throw_damaged(file, "damaged: must give size and checksum of each file");
  }
}

bool Manifest::names(const std::string& file) const {
  return std::ranges::find(entries_, file, &Entry::file) != entries_.end();
}

void Manifest::verify(const std::string& file) const {
  const auto entry = std::ranges::find(entries_, file, &Entry::file);
  if (entry == entries_.end()) throw_damaged(dir_ / kManifest, "damaged: does not name " + file);

  const auto path = dir_ / file;
  std::error_code reason;
  const auto size = fs::file_size(path, reason);
  if (reason) throw_damaged(path, "cannot be read: " + reason.message());
  if (size != entry->size) {
    throw_damaged(path, fmt::format("damaged: {} bytes, but {} were saved", size, entry->size));
  }
  if (checksum_of_file(path) != entry->checksum) {
    throw_damaged(path, "damaged: its checksum is not the one in MANIFEST.json");
  }
}

}  // namespace heed::checkpoint
