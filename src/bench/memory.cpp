#include "bench/memory.h"

#include <sys/resource.h>

namespace heed::bench {

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts KiB
}

}  // namespace heed::bench
