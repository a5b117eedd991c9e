#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "base/files.h"

namespace heed::test {

/// stderr goes to a file while it lives.
class StderrToFile {
 public:
  explicit StderrToFile(const std::filesystem::path& file)
      : file_(file), before_(::dup(STDERR_FILENO)) {
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(opened, STDERR_FILENO);
    ::close(opened);
  }
  ~StderrToFile() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
  }
  StderrToFile(const StderrToFile&) = delete;
  StderrToFile& operator=(const StderrToFile&) = delete;

  std::string text() const { return read_file(file_); }

 private:
  std::filesystem::path file_;
  int before_;
};

/// stderr is a terminal, `columns` wide, while it lives.
class StderrToTerminal {
 public:
  explicit StderrToTerminal(unsigned short columns)
      : master_(::posix_openpt(O_RDWR | O_NOCTTY)), before_(::dup(STDERR_FILENO)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) {
      throw std::runtime_error("no terminal to be had");
    }
    const int slave = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    termios raw{};
    ::tcgetattr(slave, &raw);
    ::cfmakeraw(&raw);
    ::tcsetattr(slave, TCSANOW, &raw);
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(slave, TIOCSWINSZ, &size);
    ::dup2(slave, STDERR_FILENO);
    ::close(slave);
    ::fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  ~StderrToTerminal() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    ::close(master_);
  }
  StderrToTerminal(const StderrToTerminal&) = delete;
  StderrToTerminal& operator=(const StderrToTerminal&) = delete;

  /// What was written since the last call.
  std::string take() {
    std::string text(4096, '\0');
    const auto count = ::read(master_, text.data(), text.size());
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  }

 private:
  int master_;
  int before_;
};

}  // namespace heed::test
