#include "base/signals.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstddef>

#include "base/exit_code.h"

namespace heed {
namespace {

constexpr std::array kWatched = {SIGINT, SIGTERM};

volatile sig_atomic_t noted = 0;
std::array<struct sigaction, kWatched.size()> previous;

void note(int signal) {
  if (noted != 0) ::_exit(exit_code::kSignal + signal);
  noted = signal;
}

}  // namespace

SignalWatch::SignalWatch() {
  noted = 0;
  struct sigaction action{};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;  // reads and writes go on as if nothing had come
  for (std::size_t i = 0; i < kWatched.size(); ++i) {
    ::sigaction(kWatched[i], &action, &previous[i]);
  }
}

SignalWatch::~SignalWatch() {
  for (std::size_t i = 0; i < kWatched.size(); ++i) {
    ::sigaction(kWatched[i], &previous[i], nullptr);
  }
}

int SignalWatch::caught() { return noted; }

void report_file_size_limit() { ::signal(SIGXFSZ, SIG_IGN); }

}  // namespace heed
