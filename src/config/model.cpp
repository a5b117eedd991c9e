#include "config/model.h"

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "config/choice.h"

namespace heed::config {

void Attention::check(const std::string& path) const {
  check_choice(path + ".impl", impl, {"explicit", "fused", "auto"});
}

void Model::check(const std::string& path) const {
  check_choice(path + ".type", type, {"transformer"});
  check_choice(path + ".norm_position", norm_position, {"pre", "post"});
  check_choice(path + ".activation", activation, {"relu", "gelu"});
  check_choice(path + ".positions", positions, {"sinusoidal", "learned", "none"});
  check_choice(path + ".tie", tie, {"none", "softmax", "all"});
  check_choice(path + ".pooling", pooling, {"cls", "mean", "max"});

  if (vocab_rows != 0 && vocab_multiple > 1) {
    throw ConfigError(
        fmt::format("{0}.vocab_multiple: {1}, but {0}.vocab_rows is {2}; give one of "
                    "them",
                    path, vocab_multiple, vocab_rows));
  }
  if (d_model % heads != 0) {
    throw ConfigError(fmt::format("{0}.heads: {1} heads do not divide {0}.d_model, which is {2}",
                                  path, heads, d_model));
  }
  if (kv_heads != 0 && heads % kv_heads != 0) {
    throw ConfigError(fmt::format("{0}.kv_heads: {1} heads do not divide {0}.heads, which is {2}",
                                  path, kv_heads, heads));
  }
  if (positions == "sinusoidal" && d_model % 2 != 0) {
    throw ConfigError(
        fmt::format("{0}.positions: sinusoidal ones come in pairs, so {0}.d_model must be even, "
                    "got {1}",
                    path, d_model));
  }
}

}  // namespace heed::config
