#pragma once

#include <string>
#include <vector>

#include "config/json.h"

namespace heed::config {

/// One `key.path=value` of the command line.
struct Edit {
  std::string path;
  Json value;
};

/// The value is what JSON makes of it, and a string where it is no JSON. Throws ConfigError, which
/// names the option.
Edit parse_edit(const std::string& text);

/// Sets the value in `json`, with the objects on the way to it. Throws ConfigError where something
/// on the way is no object.
void apply_edit(const Edit& edit, Json& json);

/// `fault`, which begins with a key's path, with the place in front that brought the key: the last
/// edit that touches it, else `file`.
std::string blame(const std::string& fault, const std::string& file,
                  const std::vector<Edit>& edits);

}  // namespace heed::config
