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

/// How a child process ended, and all that it said.
struct ChildResult {
  int exit_code = 0;   // 128 and the signal where one ended it
  std::string output;  // standard output and error together
};

/// Runs this program once more and waits for it. Throws as the constructor above.
ChildResult run_self(const std::vector<std::string>& arguments);

}  // namespace heed::cli
