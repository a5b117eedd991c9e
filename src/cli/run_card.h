#pragma once

#include <filesystem>
#include <string>

#include "base/torch.h"
#include "config/run.h"

namespace heed::cli {

/// card.json of a run: what trained it, on what, and from which config and data; of the process
/// that trained last. fingerprint: of the training files.
void write_run_card(const std::filesystem::path& run, const config::Run& config,
                    const std::string& fingerprint, torch::Device device);

}  // namespace heed::cli
