#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heed::pipeline {

/// labels.json of a classifier's run: its labels, by id. Throws as replace_file does.
void save_labels(const std::filesystem::path& run, const std::vector<std::string>& labels);

/// Throws CheckpointError where the file is missing or is no list of distinct strings.
std::vector<std::string> load_labels(const std::filesystem::path& run);

}  // namespace heed::pipeline
