#pragma once

#include "config/decode.h"
#include "config/model.h"
#include "nn/attention/attention.h"

namespace heed::model {

/// How decoding keeps keys and values. Throws ConfigError for an unknown precision.
nn::CacheOptions cache_options(const config::Decode& config);

/// Whether such caches round what they keep, so that scores may be others than those of one pass.
bool rounds(const nn::CacheOptions& options);

/// Whether they forget or round.
bool lossy(const nn::CacheOptions& options);

/// Throws ConfigError, "decode.KEY: why", where a bound or a precision is set for a model whose
/// decoder keeps no keys.
void check_caches(const config::Model& model, const config::Decode& decode);

}  // namespace heed::model
