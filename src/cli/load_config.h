#pragma once

#include <string>
#include <vector>

#include "config/run.h"

namespace heed::cli {

/// The config file of a command with its --set edits, refused as early as it can be known to be
/// wrong; warns of what is hardly meant. Throws as config::load_run does.
config::Run load_config(const std::string& file, const std::vector<std::string>& edits);

/// The same for commands that read no data: the files it names need not be there.
config::Run load_shape(const std::string& file, const std::vector<std::string>& edits);

}  // namespace heed::cli
