#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heed::cli {

/// This program once more, in a process of its own, without input; what it says goes to a file.
class ChildProcess {
 public:
  /// arguments: after the program's name. Throws Error where none can be started.
  ChildProcess(const std::vector<std::string>& arguments, const std::filesystem::path& output);
  ~ChildProcess();  // kills it where it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void kill();
  bool running();
  int wait();  // its exit status; 128 and the signal that ended it

 private:
  pid_t id_ = -1;
  int status_ = -1;  // once it has ended
};

}  // namespace heed::cli
