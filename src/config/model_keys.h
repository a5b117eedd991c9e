#pragma once

#include "config/json.h"

/// Keys that only one type of model reads: a recurrent model has no heads, a Transformer no cells.
namespace heed::config {

/// Throws ConfigError at the first key of another type than model.type.
void refuse_keys_of_other_models(const Json& json);

void remove_keys_of_other_models(Json& json);

}  // namespace heed::config
