#include "nn/precision.h"

#include <ATen/autocast_mode.h>

#include "support/catch.h"

namespace heed::nn {
namespace {

TEST_CASE("products take autocast's type for fp32 only, and everything stays without autocast",
          "[nn][precision][unit]") {
  const auto single = torch::ones({2});
  const auto wide = torch::ones({2}, torch::kDouble);
  REQUIRE(for_product(single).scalar_type() == torch::kFloat);
  at::autocast::set_autocast_enabled(torch::kCPU, true);
  at::autocast::set_autocast_dtype(torch::kCPU, torch::kBFloat16);
  const auto narrow = for_product(single);
  const auto same = for_product(wide);
  const bool none = for_product({}).defined();
  at::autocast::set_autocast_enabled(torch::kCPU, false);
  REQUIRE(narrow.scalar_type() == torch::kBFloat16);
  REQUIRE(same.scalar_type() == torch::kDouble);
  REQUIRE_FALSE(none);
}

TEST_CASE("sums run in fp32 or wider", "[nn][precision][unit]") {
  REQUIRE(widen(torch::ones({1}).to(torch::kHalf)).scalar_type() == torch::kFloat);
  REQUIRE(widen(torch::ones({1}).to(torch::kBFloat16)).scalar_type() == torch::kFloat);
  REQUIRE(widen(torch::ones({1}, torch::kDouble)).scalar_type() == torch::kDouble);
}

}  // namespace
}  // namespace heed::nn
