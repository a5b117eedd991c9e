#pragma once

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/signals.h"

namespace heed {

/// The bytes of a file. Throws DataError, "FILE: " and the system's reason, where it can't be read
/// or is a directory.
std::string read_file(const std::filesystem::path& file);

/// Writes and syncs. For a file inside a directory that is renamed as a whole. Throws
/// std::filesystem::filesystem_error with path and cause; nothing of the file stays then.
void write_file(const std::filesystem::path& file, std::string_view bytes);

/// The file is whole or as it was: another name, sync, rename, sync of the directory. Throws as
/// write_file does.
void replace_file(const std::filesystem::path& file, std::string_view bytes);

/// Makes renames and new names in `directory` (empty: the working directory) durable. Throws as
/// write_file does.
void sync_directory(const std::filesystem::path& directory);

/// Throws std::filesystem::filesystem_error naming `file`, for the reason that errno holds.
[[noreturn]] void throw_unwritable(const std::filesystem::path& file);

/// Lines of results to a file or, for "-", to standard output. Nothing stands under the final name
/// before commit(); without it, and by SIGINT or SIGTERM, the partial file is removed. A pipe or
/// device (/dev/null) is written as it is. All throw std::filesystem::filesystem_error with path
/// and cause.
class OutputFile {
 public:
  explicit OutputFile(const std::string& file);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void write_line(std::string_view line);  // and '\n'
  void flush();                            // so that a reader has it now
  void commit();

 private:
  std::filesystem::path name_;     // for error texts
  std::filesystem::path final_;    // empty: written as it is
  std::filesystem::path partial_;  // likewise
  std::FILE* stream_ = nullptr;
  std::optional<RemovedOnSignal> removed_;
};

/// Standard streams that are closed get /dev/null, so that no file opened later takes their place
/// and their text; standard output one that refuses to be written to. Call once, first in main.
void occupy_standard_streams();

/// XXH3 (128 bits) in hex: finds damage and tells versions apart, is no defense against forgery.
/// checksum_of_file reads piece by piece and throws as read_file does.
std::string checksum(std::string_view bytes);
std::string checksum_of_file(const std::filesystem::path& file);

}  // namespace heed
