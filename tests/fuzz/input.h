#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <unistd.h>

namespace heed::fuzz {

inline std::string_view text_of(const uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// What a reader must hold for every input; the fuzzer keeps the input that broke it.
inline void require(bool holds) {
  if (!holds) std::abort();
}

/// An input as a file, for readers that open one: in memory, the same name for all inputs.
inline std::filesystem::path as_file(std::string_view bytes, const std::string& name) {
  static const auto dir =
      std::filesystem::path("/dev/shm") / ("heed_fuzz_" + std::to_string(getpid()));
  std::filesystem::create_directories(dir);
  const auto file = dir / name;
  std::FILE* stream = std::fopen(file.c_str(), "wb");
  require(stream != nullptr);
  std::fwrite(bytes.data(), 1, bytes.size(), stream);
  std::fclose(stream);
  return file;
}

}  // namespace heed::fuzz
