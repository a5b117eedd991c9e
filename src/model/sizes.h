#pragma once

#include "config/model.h"
#include "model/build.h"

namespace heed::model {

/// Special tokens that may stand around a text (BOS, EOS).
inline constexpr int64_t kSpecial = 2;

/// Rows of an embedding of `pieces`: model.vocab_rows where given, else `pieces` rounded up to a
/// multiple of model.vocab_multiple. Throws ConfigError when the former are too few.
int64_t embedding_rows(const config::Model& config, int64_t pieces);

/// Throws ConfigError where parts of the config don't fit each other or the data's sizes.
void check_sizes(const config::Model& config, const Sizes& sizes);

}  // namespace heed::model
