#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace heed::checkpoint {

/// CRC-32C (Castagnoli), as TFRecord files carry it.
uint32_t crc32c(const std::string& bytes);

/// Scalars for TensorBoard: TFRecords of Event messages, written by hand, for four fields need no
/// protobuf library. https://github.com/tensorflow/tensorboard/tree/master/tensorboard/compat/proto
class EventFile {
 public:
  /// Begins a new file in `directory`, named as TensorBoard looks for it. Throws
  /// std::filesystem::filesystem_error.
  explicit EventFile(const std::filesystem::path& directory);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  /// Names and values of a step; those that are not finite are left out. In the file when it
  /// returns. Throws as the constructor does.
  void write(int64_t step, const std::vector<std::pair<std::string, double>>& scalars);

 private:
  void record(const std::string& event);

  std::filesystem::path file_;
  std::FILE* stream_ = nullptr;
};

}  // namespace heed::checkpoint
