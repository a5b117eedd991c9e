#pragma once

#include <string>

#include "config/json.h"

namespace heed::cli {

/// The scores of `heed eval` for a person, in 80 columns: a line a number, then signatures, then
/// tables of classes and of the breakdown.
std::string evaluation_text(const config::Json& scores);

}  // namespace heed::cli
