#include "config/decode.h"

#include <cmath>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "config/choice.h"

namespace heed::config {

void Decode::check(const std::string& path) const {
  check_choice(path + ".overlong", overlong, {"truncate", "split", "error"});
  check_choice(path + ".cache_precision", cache_precision, {"fp32", "bf16", "int8"});
  if (!std::isfinite(length_penalty)) {
    throw ConfigError(
        fmt::format("{}.length_penalty: must be a number, got {}", path, length_penalty));
  }
  if (n_best > beam_size) {
    throw ConfigError(fmt::format("{0}.n_best: {1} is more than {0}.beam_size, which is {2}", path,
                                  n_best, beam_size));
  }
}

}  // namespace heed::config
