#pragma once

#include <cstdint>
#include <string>

namespace heed {

/// "1 layer", "2 layers"
inline std::string counted(int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace heed
