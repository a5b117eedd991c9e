#pragma once

#include <fstream>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace heed::test {

/// A JSON file of tests/golden, read once. It stays, so a loop may run over a part of it.
inline const nlohmann::json& golden(const std::string& name) {
  static std::map<std::string, nlohmann::json> files;
  const auto found = files.find(name);
  if (found != files.end()) return found->second;
  std::ifstream file(HEED_SOURCE_DIR "/tests/golden/" + name);
  return files[name] = nlohmann::json::parse(file);
}

}  // namespace heed::test
