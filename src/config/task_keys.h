#pragma once

#include <string>

#include "config/json.h"

/// Keys that only one task reads: a classification has no decoder, a translation no labels.
namespace heed::config {

/// Throws ConfigError at the first key of another task.
void refuse_keys_of_other_tasks(const Json& json, const std::string& task);

void remove_keys_of_other_tasks(Json& json, const std::string& task);

}  // namespace heed::config
