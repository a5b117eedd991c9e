// Preloaded into heed (LD_PRELOAD) by the end-to-end tests: the program is loaded once, which takes
// longer than most of what the tests ask of it, and its main() runs in a fork for each request that
// comes over the socket bound to file descriptor HEED_FORK_SERVER. Without that variable main()
// runs as ever.
//
// Request: the file descriptors of stdin, stdout and stderr, then a datagram of NUL-ended texts:
// the working directory, the number of arguments, the arguments, the environment. Replies: the
// process id, then the wait status, as native ints.
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Main = int (*)(int, char**, char**);

Main real_main = nullptr;

struct Request {
  std::array<int, 3> streams{};
  std::vector<char*> texts;  // into `bytes`
  std::string bytes;
};

/// False where the other side has closed.
bool receive(int socket, Request& request) {
  request.bytes.resize(1 << 20);
  iovec part{request.bytes.data(), request.bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof request.streams)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (size <= 0 || header == nullptr) return false;
  std::memcpy(request.streams.data(), CMSG_DATA(header), sizeof request.streams);
  for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(std::strlen(&request.bytes[at])) + 1)
    request.texts.push_back(&request.bytes[at]);
  return true;
}

[[noreturn]] void run(Request& request) {
  for (int stream = 0; stream < 3; ++stream) dup2(request.streams[stream], stream);
  if (chdir(request.texts[0]) != 0) _exit(127);
  const auto argc = static_cast<size_t>(std::atoi(request.texts[1]));
  std::vector<char*> argv(request.texts.begin() + 2, request.texts.begin() + 2 + argc);
  argv.push_back(nullptr);
  std::vector<char*> variables(request.texts.begin() + 2 + argc, request.texts.end());
  variables.push_back(nullptr);
  environ = variables.data();
  std::exit(real_main(static_cast<int>(argc), argv.data(), environ));
}

void serve(int socket) {
  for (Request request; receive(socket, request); request = {}) {
    const pid_t child = fork();
    if (child == 0) {
      close(socket);
      run(request);
    }
    for (const int stream : request.streams) close(stream);
    int status = 0;
    if (write(socket, &child, sizeof child) < 0) return;
    while (waitpid(child, &status, 0) < 0) {
    }
    if (write(socket, &status, sizeof status) < 0) return;
  }
}

int served_main(int argc, char** argv, char** variables) {
  const char* socket = std::getenv("HEED_FORK_SERVER");
  if (socket == nullptr) return real_main(argc, argv, variables);
  serve(std::atoi(socket));
  return 0;
}

}  // namespace

// NOLINTNEXTLINE: the C library's own name; it calls main() once all libraries are initialized.
extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                                 void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  const auto next =
      reinterpret_cast<decltype(&__libc_start_main)>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return next(served_main, argc, argv, init, fini, rtld_fini, stack_end);
}
