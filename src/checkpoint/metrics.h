#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace heed::checkpoint {

/// metrics.jsonl: one strict JSON object a line, null where a number is not finite. A line is in
/// the file when write() returns.
class MetricsWriter {
 public:
  /// Lines of steps after `step`, and what follows them, are dropped: the training goes on from
  /// there. 0 begins anew. All throw std::filesystem::filesystem_error.
  MetricsWriter(const std::filesystem::path& file, int64_t step);
  ~MetricsWriter();
  MetricsWriter(const MetricsWriter&) = delete;
  MetricsWriter& operator=(const MetricsWriter&) = delete;

  void write(const nlohmann::ordered_json& line);

 private:
  std::filesystem::path file_;
  std::FILE* stream_ = nullptr;
};

}  // namespace heed::checkpoint
