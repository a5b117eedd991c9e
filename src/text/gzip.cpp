#include "text/gzip.h"

#include <array>
#include <cstdint>

#include <spdlog/fmt/fmt.h>
#include <zlib.h>

#include "base/error.h"

namespace heed::text {
namespace {

constexpr int kFirst = 0x1F;
constexpr int kSecond = 0x8B;
constexpr std::size_t kChunk = 65536;
constexpr int kGzipWindow = 15 + 16;  // inflateInit2: the largest window, gzip's frame

}  // namespace

bool gzip_next(std::istream& stream) {
  if (stream.peek() != kFirst) return false;
  stream.get();
  const bool gzip = stream.peek() == kSecond;
  stream.clear();  // of an end after one byte
  stream.unget();
  return gzip;
}

struct GzipBuffer::State {
  z_stream zlib{};
  std::array<char, kChunk> in{};
  std::array<char, kChunk> out{};
  int64_t bytes = 0;  // of the compressed stream, read so far
  bool in_member = true;
};

GzipBuffer::GzipBuffer(std::istream& compressed)
    : compressed_(compressed), state_(std::make_unique<State>()) {
  if (inflateInit2(&state_->zlib, kGzipWindow) != Z_OK) throw Error("out of memory for zlib");
}

GzipBuffer::~GzipBuffer() { inflateEnd(&state_->zlib); }

/// Whether compressed bytes are at hand.
bool GzipBuffer::fill() {
  auto& zlib = state_->zlib;
  if (zlib.avail_in > 0) return true;
  compressed_.read(state_->in.data(), kChunk);
  state_->bytes += compressed_.gcount();
  zlib.next_in = reinterpret_cast<Bytef*>(state_->in.data());
  zlib.avail_in = static_cast<uInt>(compressed_.gcount());
  return zlib.avail_in > 0;
}

/// Members may stand one after the other, and zero bytes of a tape after the last.
bool GzipBuffer::next_member() {
  auto& zlib = state_->zlib;
  while (fill() && *zlib.next_in == 0) {
    ++zlib.next_in;
    --zlib.avail_in;
  }
  if (!fill()) return false;
  inflateReset(&zlib);
  state_->in_member = true;
  return true;
}

GzipBuffer::int_type GzipBuffer::underflow() {
  auto& zlib = state_->zlib;
  if (!fault_.empty()) return traits_type::eof();
  zlib.next_out = reinterpret_cast<Bytef*>(state_->out.data());
  zlib.avail_out = kChunk;
  while (zlib.avail_out == kChunk) {
    if (!state_->in_member && !next_member()) return traits_type::eof();
    const bool more = fill();
    const auto status = inflate(&zlib, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      state_->in_member = false;
    } else if (!more && zlib.avail_out == kChunk) {
      fault_ = fmt::format("the file ends at byte {} in the middle of its data", state_->bytes);
      return traits_type::eof();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fault_ = fmt::format("{} near byte {}", zlib.msg != nullptr ? zlib.msg : "damaged data",
                           state_->bytes - zlib.avail_in);
      break;  // what was read before the damage
    }
  }
  const auto size = kChunk - zlib.avail_out;
  if (size == 0) return traits_type::eof();
  setg(state_->out.data(), state_->out.data(), state_->out.data() + size);
  return traits_type::to_int_type(*gptr());
}

}  // namespace heed::text
