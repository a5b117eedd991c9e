#include "bench/memory.h"

#include <sys/resource.h>

#include <fstream>
#include <limits>
#include <string>

#include <c10/core/CachingDeviceAllocator.h>

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

/// Null where the allocator doesn't count.
c10::DeviceAllocator* counting_allocator(torch::Device device) {
  return dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(device.type()));
}

/// Bytes in use now and at the peak, of all its pools.
c10::CachingAllocator::Stat allocated(c10::DeviceAllocator& allocator, torch::Device device) {
  constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return allocator.getDeviceStats(device.index()).allocated_bytes.at(kAll);
}

constexpr double kNotCounted = std::numeric_limits<double>::quiet_NaN();
constexpr double kMib = 1 << 20;

}  // namespace

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts KiB
}

double held_memory_mb(torch::Device device) {
  if (device.is_cpu()) return status_mb("VmRSS");
  auto* allocator = counting_allocator(device);
  return allocator ? static_cast<double>(allocated(*allocator, device).current) / kMib
                   : kNotCounted;
}

void reset_peak_memory(torch::Device device) {
  if (device.is_cpu()) {
    std::ofstream("/proc/self/clear_refs") << "5\n";
  } else if (auto* allocator = counting_allocator(device)) {
    allocator->resetPeakStats(device.index());
  }
}

double peak_since_reset_mb(torch::Device device) {
  if (device.is_cpu()) return status_mb("VmHWM");
  auto* allocator = counting_allocator(device);
  return allocator ? static_cast<double>(allocated(*allocator, device).peak) / kMib : kNotCounted;
}

}  // namespace heed::bench
