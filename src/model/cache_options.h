#pragma once

#include "config/decode.h"
#include "nn/attention/attention.h"

namespace heed::model {

/// How decoding keeps keys and values. Throws ConfigError for an unknown precision.
nn::CacheOptions cache_options(const config::Decode& config);

/// Whether such caches may give other scores than one pass over the whole target: they forget, or
/// round.
bool lossy(const nn::CacheOptions& options);

}  // namespace heed::model
