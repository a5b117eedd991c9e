#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heed::checkpoint {

/// MANIFEST.json: size and checksum of each file of a checkpoint.
inline constexpr auto kManifest = "MANIFEST.json";

/// The manifest of the files that lie in `dir`, as JSON.
std::string make_manifest(const std::filesystem::path& dir);

/// The files a directory's manifest names. Throws CheckpointError where there is no readable one.
class Manifest {
 public:
  explicit Manifest(const std::filesystem::path& dir);

  bool names(const std::string& file) const;

  /// Throws CheckpointError, "DIR/FILE: what", where a file is not named, absent, or not as it was
  /// when it was saved.
  void verify(const std::string& file) const;

 private:
  struct Entry {
    std::string file;
    uint64_t size = 0;
    std::string checksum;
  };

  std::filesystem::path dir_;
  std::vector<Entry> entries_;
};

}  // namespace heed::checkpoint
