#include "checkpoint/event_file.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>
#include <cmath>

#include <spdlog/fmt/fmt.h>

#include "base/files.h"

namespace fs = std::filesystem;

namespace heed::checkpoint {
namespace {

constexpr uint32_t kPolynomial = 0x82F63B78;  // reflected

std::array<uint32_t, 256> make_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}

/// A checksum of data that holds checksums is weak; TFRecord turns it.
uint32_t masked_crc(const std::string& bytes) { return std::rotr(crc32c(bytes), 15) + 0xA282EAD8U; }

std::string little_endian(uint64_t number, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((number >> (8 * i)) & 0xFF);
  return out;
}

// Protocol buffers' wire format: a key (field << 3 | kind), then the value.

std::string varint(uint64_t number) {
  std::string out;
  for (; number >= 0x80; number >>= 7) out += static_cast<char>((number & 0x7F) | 0x80);
  return out + static_cast<char>(number);
}

std::string key(int field, int kind) { return varint(static_cast<uint64_t>((field << 3) | kind)); }

std::string bytes_field(int field, const std::string& bytes) {
  return key(field, 2) + varint(bytes.size()) + bytes;
}

std::string double_field(int field, double number) {
  return key(field, 1) + little_endian(std::bit_cast<uint64_t>(number), 8);
}

std::string float_field(int field, float number) {
  return key(field, 5) + little_endian(std::bit_cast<uint32_t>(number), 4);
}

double now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

}  // namespace

uint32_t crc32c(const std::string& bytes) {
  static const auto table = make_table();
  uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

EventFile::EventFile(const fs::path& directory) {
  fs::create_directories(directory);
  file_ = directory / fmt::format("events.out.tfevents.{:.0f}.heed.{}", now() * 1e6, ::getpid());
  stream_ = std::fopen(file_.c_str(), "wbe");
  if (stream_ == nullptr) throw_unwritable(file_);
  record(double_field(1, now()) + bytes_field(3, "brain.Event:2"));
}

EventFile::~EventFile() { std::fclose(stream_); }

void EventFile::write(int64_t step, const std::vector<std::pair<std::string, double>>& scalars) {
  std::string summary;
  for (const auto& [name, value] : scalars) {
    if (!std::isfinite(value)) continue;
    summary += bytes_field(1, bytes_field(1, name) + float_field(2, static_cast<float>(value)));
  }
  record(double_field(1, now()) + key(2, 0) + varint(static_cast<uint64_t>(step)) +
         bytes_field(5, summary));
}

void EventFile::record(const std::string& event) {
  const auto length = little_endian(event.size(), 8);
  const auto bytes =
      length + little_endian(masked_crc(length), 4) + event + little_endian(masked_crc(event), 4);
  const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), stream_) == bytes.size();
  if (!whole || std::fflush(stream_) != 0) throw_unwritable(file_);
}

}  // namespace heed::checkpoint
