#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"

namespace fs = std::filesystem;

namespace heed {
namespace {

/// A file descriptor that is closed.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int operator*() const { return number_; }
  bool open() const { return number_ >= 0; }
  int close() { return ::close(std::exchange(number_, -1)); }

 private:
  int number_;
};

std::error_code last_error() { return {errno, std::generic_category()}; }

[[noreturn]] void throw_unreadable(const fs::path& file) {
  throw DataError(fmt::format("{}: cannot be read: {}", file.string(), last_error().message()));
}

/// Hands the bytes of a file to `take`, piece by piece.
template <typename Take>
void read_pieces(const fs::path& file, Take take) {
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in.open()) throw_unreadable(file);

  std::vector<char> piece(std::size_t{1} << 18);
  while (true) {
    const auto count = ::read(*in, piece.data(), piece.size());
    if (count == 0) return;
    if (count > 0) {
      take(std::string_view(piece.data(), static_cast<std::size_t>(count)));
    } else if (errno != EINTR) {
      throw_unreadable(file);  // a directory, too
    }
  }
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// Removes what a failed write left, and leaves errno alone. A device is no file of ours.
void remove_remains(const fs::path& file) {
  const int reason = errno;
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) fs::remove(file, ignored);
  errno = reason;
}

fs::path partial_name(const fs::path& file) { return file.string() + ".partial"; }

void rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    remove_remains(from);
    throw_unwritable(to);
  }
  sync_directory(to.parent_path());
}

std::string hex(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

void throw_unwritable(const fs::path& file) {
  throw fs::filesystem_error("cannot write", file, last_error());
}

std::string read_file(const fs::path& file) {
  std::string bytes;
  read_pieces(file, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

void write_file(const fs::path& file, std::string_view bytes) {
  Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!out.open()) throw_unwritable(file);
  if (!write_all(*out, bytes) || ::fsync(*out) != 0 || out.close() != 0) {
    remove_remains(file);
    throw_unwritable(file);
  }
}

void replace_file(const fs::path& file, std::string_view bytes) {
  const auto partial = partial_name(file);
  write_file(partial, bytes);
  rename_durably(partial, file);
}

void sync_directory(const fs::path& directory) {
  const fs::path named = directory.empty() ? "." : directory;
  const Descriptor opened(::open(named.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.open()) throw_unwritable(named);
  const bool synced = ::fsync(*opened) == 0;
  if (!synced && errno != EINVAL && errno != ENOTSUP) throw_unwritable(named);  // no such notion
}

OutputFile::OutputFile(const std::string& file) {
  if (file == "-") {
    name_ = "standard output";
    stream_ = stdout;
    return;
  }
  name_ = file;
  fs::path opened = file;
  const auto status = fs::status(file);
  if (!fs::exists(status) || fs::is_regular_file(status)) {
    final_ = fs::exists(status) ? fs::canonical(file) : fs::path(file);  // through links
    opened = partial_ = fmt::format("{}.{}.partial", final_.string(), ::getpid());
    removed_.emplace(partial_);
  }
  stream_ = std::fopen(opened.c_str(), "wbe");  // else a pipe or a device, written as it is
  if (stream_ == nullptr) throw_unwritable(file);
}

OutputFile::~OutputFile() {
  if (stream_ == nullptr) return;
  if (stream_ == stdout) {
    std::fflush(stdout);
    return;
  }
  std::fclose(stream_);
  if (!partial_.empty()) remove_remains(partial_);
}

void OutputFile::write(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto written = std::fwrite(bytes.data(), 1, bytes.size(), stream_);
  // Where a line is flushed, glibc counts what it could not write as written, and marks the stream.
  if (written != bytes.size() || std::ferror(stream_) != 0) throw_unwritable(name_);
}

void OutputFile::write_line(std::string_view line) {
  write(line);
  write("\n");
}

void OutputFile::flush() {
  if (std::fflush(stream_) != 0 || std::ferror(stream_) != 0) throw_unwritable(name_);
}

void OutputFile::commit() {
  flush();
  if (stream_ == stdout) return;
  if (!final_.empty() && ::fsync(::fileno(stream_)) != 0) throw_unwritable(name_);
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) throw_unwritable(name_);
  if (!final_.empty()) rename_durably(partial_, final_);
}

void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);  // the lowest free number
  }
}

std::string checksum(std::string_view bytes) {
  return hex(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string checksum_of_file(const fs::path& file) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  read_pieces(file, [&](std::string_view piece) {
    XXH3_128bits_update(&state, piece.data(), piece.size());
  });
  return hex(XXH3_128bits_digest(&state));
}

}  // namespace heed
