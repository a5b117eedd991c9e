#pragma once

#include <filesystem>

#include "config/run.h"

namespace heed::config {

/// Makes every path of the config absolute. A relative one is looked for in `folder`, in the
/// directory HEED_DATA names, and in ./data. Throws DataError, "KEY: path: places", where there is
/// no such file.
void resolve_paths(const std::filesystem::path& folder, Run& run);

}  // namespace heed::config
