#include "config/choice.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "base/nearest.h"
#include "config/json.h"

namespace heed::config {

void check_choice(const std::string& path, const std::string& value,
                  const std::vector<std::string>& choices) {
  if (std::ranges::find(choices, value) != choices.end()) return;
  throw ConfigError(fmt::format("{}: there is no '{}'; did you mean '{}'? There {} {}", path,
                                printable(value), nearest(value, choices),
                                choices.size() == 1 ? "is" : "are", fmt::join(choices, ", ")));
}

}  // namespace heed::config
