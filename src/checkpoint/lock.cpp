#include "checkpoint/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"

namespace heed::checkpoint {
namespace {

/// What the holder wrote: its process number.
std::string holder(int descriptor) {
  std::array<char, 24> text{};
  const auto count = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string number(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  return number.empty() ? "another process" : "process " + number;
}

/// Only a hint for the reader of an error text, so failing is no fault.
void write_holder(int descriptor) {
  const auto text = std::to_string(::getpid());
  if (::ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const auto written = ::pwrite(descriptor, text.data(), text.size(), 0);
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& run) {
  descriptor_ = ::open(file(run).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    throw std::filesystem::filesystem_error("cannot write", file(run),
                                            {errno, std::generic_category()});
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const auto who = holder(descriptor_);
    ::close(descriptor_);
    throw CheckpointError(fmt::format("{}: {} is writing here; wait for it or choose another run",
                                      run.string(), who));
  }
  write_holder(descriptor_);
}

RunLock::~RunLock() { ::close(descriptor_); }

}  // namespace heed::checkpoint
