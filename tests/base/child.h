#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <exception>

namespace heed::test {

/// What the shell would say of a child process that runs `body` and then exits with its result:
/// the exit code, or 128 + the signal that ended it.
template <typename Body>
int exit_code_of(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      ::_exit(body());
    } catch (const std::exception&) {
      ::_exit(99);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace heed::test
