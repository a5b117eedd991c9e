#pragma once

#include <filesystem>
#include <string>

namespace heed::inspect {

/// One page about a run, from its own files: curves of loss, score, rate, gradient norm and speed,
/// evaluations, sample results over time, what went on, the config, data and hardware. Throws
/// CheckpointError where `run` is no run; a damaged line of metrics.jsonl is passed over.
std::string report_page(const std::filesystem::path& run);

}  // namespace heed::inspect
