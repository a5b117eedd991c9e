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
