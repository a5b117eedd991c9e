#pragma once

#include <string>
#include <vector>

#include "config/json.h"

/// Keys that only one type of model reads: a recurrent model has no heads, a Transformer no cells.
namespace heed::config {

/// Throws ConfigError at the first key of another type than model.type.
void refuse_keys_of_other_models(const Json& json);

void remove_keys_of_other_models(Json& json);

/// Those of `names`, keys of the section `path`, that a model of the config's type may have; all
/// where its type is none.
std::vector<std::string> without_keys_of_other_models(const Json& json, const std::string& path,
                                                      std::vector<std::string> names);

}  // namespace heed::config
