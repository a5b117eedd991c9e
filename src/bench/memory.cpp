#include "bench/memory.h"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace heed::bench {
namespace {

/// "VmRSS:  1234 kB" of /proc/self/status; 0 where there is none.
double status_mb(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kib = 0.0;
    if (word == key + ":" && status >> kib) return kib / 1024;
  }
  return 0.0;
}

}  // namespace

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts KiB
}

double held_memory_mb() { return status_mb("VmRSS"); }

void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5\n"; }

double peak_since_reset_mb() { return status_mb("VmHWM"); }

}  // namespace heed::bench
