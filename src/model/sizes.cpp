#include "model/sizes.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "config/choice.h"

namespace heed::model {
namespace {

void check_heads(const config::Model& config) {
  if (config.heads < 1 || (config.head_dim == 0 && config.d_model % config.heads != 0)) {
    throw ConfigError(fmt::format("model.heads: {} heads do not divide model.d_model, which is {}",
                                  config.heads, config.d_model));
  }
  if (config.kv_heads != 0 && config.heads % config.kv_heads != 0) {
    throw ConfigError(fmt::format("model.kv_heads: {} do not divide model.heads, which is {}",
                                  config.kv_heads, config.heads));
  }
}

}  // namespace

int64_t embedding_rows(const config::Model& config, int64_t pieces) {
  if (config.vocab_rows == 0) {
    const auto multiple = std::max<int64_t>(config.vocab_multiple, 1);
    return (pieces + multiple - 1) / multiple * multiple;
  }
  if (config.vocab_rows < pieces) {
    throw ConfigError(
        fmt::format("model.vocab_rows: {} rows are too few for a vocabulary of {} pieces; give at "
                    "least as many, or 0",
                    config.vocab_rows, pieces));
  }
  return config.vocab_rows;
}

void check_sizes(const config::Model& config, const Sizes& sizes) {
  config::check_choice("model.type", config.type, {"transformer", "rnn"});
  if (!config.recurrent()) {
    check_heads(config);
  } else if (config.rnn.bidirectional && config.d_model % 2 != 0) {
    throw ConfigError(fmt::format(
        "model.d_model: two directions share it, so it must be even, got {}", config.d_model));
  }
  if (config.tie == "all" && sizes.target_pieces != 0 &&
      sizes.source_pieces != sizes.target_pieces) {
    throw ConfigError(
        fmt::format("model.tie: all needs one vocabulary for both sides, but the source has {} "
                    "pieces and the target {}; set tokenizer.shared, or tie softmax or none",
                    sizes.source_pieces, sizes.target_pieces));
  }
}

}  // namespace heed::model
