#include "cli/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/exit_code.h"
#include "base/files.h"

namespace heed::cli {
namespace {

int status_of(int waited) {
  if (WIFSIGNALED(waited)) return exit_code::kSignal + WTERMSIG(waited);
  return WEXITSTATUS(waited);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments,
                           const std::filesystem::path& output) {
  std::vector<std::string> words{"heed"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  const int failed =
      ::posix_spawn(&id_, "/proc/self/exe", &files, nullptr, pointers.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (failed != 0) {
    throw Error(fmt::format("no second process could be started: {}",
                            std::generic_category().message(failed)));
  }
}

ChildProcess::~ChildProcess() {
  if (!running()) return;
  kill();
  wait();
}

void ChildProcess::kill() { ::kill(id_, SIGKILL); }

bool ChildProcess::running() {
  if (status_ >= 0) return false;
  int waited = 0;
  if (::waitpid(id_, &waited, WNOHANG) != id_) return true;
  status_ = status_of(waited);
  return false;
}

int ChildProcess::wait() {
  int waited = 0;
  while (status_ < 0) {
    if (::waitpid(id_, &waited, 0) == id_)
      status_ = status_of(waited);
    else if (errno != EINTR)
      status_ = exit_code::kBug;
  }
  return status_;
}

ChildResult run_self(const std::vector<std::string>& arguments) {
  auto name = (std::filesystem::temp_directory_path() / "heed-output-XXXXXX").string();
  const int made = ::mkstemp(name.data());
  if (made < 0) throw Error(name + ": cannot be made");
  ::close(made);
  ChildResult result;
  try {
    ChildProcess child(arguments, name);
    result.exit_code = child.wait();
    result.output = read_file(name);
  } catch (...) {
    ::unlink(name.c_str());
    throw;
  }
  ::unlink(name.c_str());
  return result;
}

}  // namespace heed::cli
