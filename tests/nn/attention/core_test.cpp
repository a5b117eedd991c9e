#include "nn/attention/core.h"

#include "nn/attention/key_value_cache.h"
#include "nn/attention/scaled_dot_product.h"
#include "support/catch.h"

namespace heed::nn {
namespace {

TEST_CASE("a core keeps keys and values where it says nothing else", "[nn][core][unit]") {
  ScaledDotProduct core;
  const auto own = core->start(7, {.max = 3});
  REQUIRE(dynamic_cast<GrowingCache*>(own.get()) != nullptr);
  REQUIRE(dynamic_cast<GrowingCache*>(own.get())->evicts());
  REQUIRE_FALSE(core->owns(*own));
  const auto x = torch::randn({2, 1, 3, 4});
  const auto memory = core->remember(x, x, {}, {});
  REQUIRE(dynamic_cast<MemoryCache*>(memory.get()) != nullptr);
}

}  // namespace
}  // namespace heed::nn
