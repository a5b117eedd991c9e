#include "base/out_of_memory.h"

#include <new>
#include <stdexcept>

#include "base/torch.h"
#include "support/catch.h"

namespace heed {
namespace {

TEST_CASE("memory that ran out is told from other faults", "[base][out_of_memory][unit]") {
  REQUIRE(out_of_memory(std::bad_alloc()));
  REQUIRE_FALSE(out_of_memory(std::runtime_error("memory")));
  try {
    torch::empty({int64_t{1} << 50});
    FAIL("4 PiB were there");
  } catch (const std::exception& error) {
    REQUIRE(out_of_memory(error));
  }
  try {
    torch::zeros({2}).view({3});
    FAIL("2 is 3");
  } catch (const std::exception& error) {
    REQUIRE_FALSE(out_of_memory(error));
  }
}

}  // namespace
}  // namespace heed
