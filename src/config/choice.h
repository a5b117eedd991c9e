#pragma once

#include <string>
#include <vector>

namespace heed::config {

/// Throws ConfigError, naming the nearest choice and listing them all, where `value` is none of
/// `choices`. `path` is the key's.
void check_choice(const std::string& path, const std::string& value,
                  const std::vector<std::string>& choices);

}  // namespace heed::config
