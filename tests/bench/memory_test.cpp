#include "bench/memory.h"

#include <vector>

#include "support/catch.h"

TEST_CASE("memory that was held shows in the peak, and stays there", "[bench][memory][unit]") {
  const auto before = heed::bench::peak_memory_mb();
  CHECK(before > 1.0);
  {
    const std::vector<char> held(512 << 20, 1);
    CHECK(held.back() == 1);
  }
  CHECK(heed::bench::peak_memory_mb() >= 512.0);
  CHECK(heed::bench::peak_memory_mb() >= before);
}

TEST_CASE("the memory of the CPU is that of the process", "[bench][memory][unit]") {
  CHECK(heed::bench::held_memory_mb(torch::kCPU) > 1.0);
  CHECK(heed::bench::peak_since_reset_mb(torch::kCPU) > 1.0);
}

TEST_CASE("what tensors take on a CUDA device is counted", "[bench][memory][cuda]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) {
    WARN("skipped: there is no CUDA device here");
    return;
  }
  const torch::Device device(torch::kCUDA, 0);
  const auto kept = torch::ones({1}, device);
  heed::bench::reset_peak_memory(device);
  const auto before = heed::bench::held_memory_mb(device);
  CHECK(before > 0.0);
  torch::empty({64 << 20}, torch::TensorOptions().dtype(torch::kByte).device(device));
  CHECK(heed::bench::peak_since_reset_mb(device) >= before + 64.0);
  CHECK(heed::bench::held_memory_mb(device) < before + 1.0);
}

TEST_CASE("a peak that was reset counts from there on", "[bench][memory][unit]") {
  {
    const std::vector<char> earlier(512 << 20, 1);
  }
  heed::bench::reset_peak_memory(torch::kCPU);
  const auto held = heed::bench::held_memory_mb(torch::kCPU);
  CHECK(held > 1.0);
  CHECK(heed::bench::peak_since_reset_mb(torch::kCPU) < held + 100.0);
  {
    const std::vector<char> later(256 << 20, 1);
  }
  CHECK(heed::bench::peak_since_reset_mb(torch::kCPU) > held + 250.0);
  CHECK(heed::bench::held_memory_mb(torch::kCPU) < held + 100.0);
}
