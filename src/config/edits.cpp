#include "config/edits.h"

#include <cstdint>
#include <string_view>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/utf8.h"

namespace heed::config {
namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> keys{""};
  for (const char c : path) {
    if (c == '.') {
      keys.emplace_back();
    } else {
      keys.back() += c;
    }
  }
  return keys;
}

bool well_formed(const std::string& text) {
  int64_t replaced = 0;
  valid_utf8(text, &replaced);
  return replaced == 0;
}

/// Whether `path` is `prefix` or a key somewhere below it.
bool within(std::string_view path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return false;
  return path.size() == prefix.size() || path[prefix.size()] == '.';
}

}  // namespace

Edit parse_edit(const std::string& text) {
  const auto equals = text.find('=');
  const auto path = text.substr(0, equals);
  bool keys_named = equals != text.npos;
  for (const auto& key : split(path)) keys_named = keys_named && !key.empty();
  if (!keys_named) {
    throw ConfigError(fmt::format("--set {}: must be key.path=value", printable(text)));
  }
  if (!well_formed(text)) {
    throw ConfigError(fmt::format("--set {}: must be UTF-8", printable(path)));
  }
  const auto value = text.substr(equals + 1);
  if (!Json::accept(value)) return {path, value};
  return {path, parse_json(value, "--set " + path)};
}

void apply_edit(const Edit& edit, Json& json) {
  Json* place = &json;
  for (const auto& key : split(edit.path)) {
    if (!place->is_object()) {
      throw ConfigError(fmt::format("--set {}: '{}' has no object to be in, but {}",
                                    printable(edit.path), printable(key), shown(*place)));
    }
    if (!place->contains(key)) (*place)[key] = Json::object();
    place = &(*place)[key];
  }
  *place = edit.value;
}

std::string blame(const std::string& fault, const std::string& file,
                  const std::vector<Edit>& edits) {
  const auto path = fault.substr(0, fault.find(": "));
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    const auto edited = printable(edit->path);
    if (edited == path) return "--set " + fault;
    if (within(path, edited) || within(edited, path)) {
      return fmt::format("--set {}: {}", edited, fault);
    }
  }
  return fmt::format("{}: {}", file, fault);
}

}  // namespace heed::config
