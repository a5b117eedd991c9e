#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace heed {

/// "a, b and 3 more": at most `most` of the items.
inline std::string first_few(std::vector<std::string> items, std::size_t most) {
  const auto count = items.size();
  if (count <= most) return fmt::format("{}", fmt::join(items, ", "));
  items.resize(most);
  return fmt::format("{} and {} more", fmt::join(items, ", "), count - most);
}

}  // namespace heed
