#include "base/signals.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

#include "base/exit_code.h"

namespace heed {
namespace {

constexpr std::array kWatched = {SIGINT, SIGTERM};

volatile sig_atomic_t noted = 0;
std::array<struct sigaction, kWatched.size()> previous;
/// Files of RemovedOnSignal; null where a place is free.
std::array<std::atomic<const char*>, 8> removed{};

void note(int signal) {
  if (noted != 0) ::_exit(exit_code::kSignal + signal);
  noted = signal;
}

void remove_and_end(int signal) {
  for (const auto& place : removed) {
    if (const auto* file = place.load()) ::unlink(file);
  }
  ::_exit(exit_code::kSignal + signal);
}

void handle_by(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // reads and writes go on as if nothing had come
  for (std::size_t i = 0; i < kWatched.size(); ++i) {
    ::sigaction(kWatched[i], &action, &previous[i]);
  }
}

void handle_as_before() {
  for (std::size_t i = 0; i < kWatched.size(); ++i) {
    ::sigaction(kWatched[i], &previous[i], nullptr);
  }
}

bool none_removed() {
  return std::ranges::all_of(removed, [](const auto& place) { return place.load() == nullptr; });
}

}  // namespace

SignalWatch::SignalWatch() {
  noted = 0;
  handle_by(note);
}

SignalWatch::~SignalWatch() { handle_as_before(); }

int SignalWatch::caught() { return noted; }

RemovedOnSignal::RemovedOnSignal(const std::filesystem::path& file) : file_(file.string()) {
  if (none_removed()) handle_by(remove_and_end);
  for (auto& place : removed) {
    if (place.load() != nullptr) continue;
    place = file_.c_str();
    return;
  }
}

RemovedOnSignal::~RemovedOnSignal() {
  for (auto& place : removed) {
    if (place.load() == file_.c_str()) place = nullptr;
  }
  if (none_removed()) handle_as_before();
}

void report_file_size_limit() { ::signal(SIGXFSZ, SIG_IGN); }

}  // namespace heed
