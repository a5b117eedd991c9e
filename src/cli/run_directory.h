#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/run.h"

namespace heed::cli {

/// What to do where a run is there already.
enum class Existing { kRefuse, kResume, kOverwrite };

/// Throws ConfigError, saying which option would be right, where the directory and the wish don't
/// fit. Changes nothing.
void check_run_directory(const std::filesystem::path& run, Existing existing);

/// Removes what a training writes into a run, and nothing else.
void clear_run_directory(const std::filesystem::path& run);

/// The config as a path and its two values, "train.max_steps: 100 -> 200", for each that differs.
std::vector<std::string> config_changes(const config::Run& before, const config::Run& after);

/// Throws ConfigError where the weights, tokenizers or labels of `before` can't go on under
/// `after`.
void check_resumable(const config::Run& before, const config::Run& after);

}  // namespace heed::cli
