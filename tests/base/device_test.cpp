#include "base/device.h"

#include <malloc.h>

#include "base/child.h"
#include "base/error.h"
#include "support/catch.h"

namespace heed {
namespace {

TEST_CASE("cpu is the CPU, auto is what there is", "[base][device][unit]") {
  REQUIRE(pick_device("cpu").is_cpu());
  REQUIRE(pick_device("auto").is_cuda() == at::hasCUDA());
}

TEST_CASE("a word that is no device is refused and the right ones listed", "[base][device][unit]") {
  const auto name = GENERATE(values<std::string>(
      {"", "gpu", "CPU", "cpu:1", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:99999999999"}));
  CAPTURE(name);
  REQUIRE_THROWS_AS(pick_device(name), ConfigError);
  REQUIRE_THROWS_WITH(pick_device(name), test::ContainsSubstring("cpu, cuda, cuda:N or auto"));
}

TEST_CASE("CUDA that is not there is refused", "[base][device][unit]") {
  REQUIRE_THROWS_AS(pick_device("cuda:99"), ConfigError);
  if (at::hasCUDA()) return;
  REQUIRE_THROWS_WITH(pick_device("cuda"), test::ContainsSubstring("there is cpu"));
}

TEST_CASE("cuda names the device as its tensors do", "[base][device][cuda]") {
  if (!at::hasCUDA()) {
    WARN("skipped: no CUDA device");
    return;
  }
  const auto device = pick_device("cuda");
  REQUIRE(torch::ones({1}, device).device() == device);
  REQUIRE(pick_device("auto") == device);
  REQUIRE(pick_device("cuda:0") == device);
}

#ifdef __GLIBC__
TEST_CASE("freed memory stays in the process", "[base][device][unit]") {
  const int code = test::exit_code_of([] {
    keep_freed_memory();
    const auto mapped = ::mallinfo2().hblks;
    void* large = ::malloc(std::size_t{64} << 20);
    const bool in_heap = large != nullptr && ::mallinfo2().hblks == mapped;
    const auto heap = ::mallinfo2().arena;
    ::free(large);
    return in_heap && ::mallinfo2().arena == heap ? 0 : 1;
  });
  REQUIRE(code == 0);
}
#endif

}  // namespace
}  // namespace heed
