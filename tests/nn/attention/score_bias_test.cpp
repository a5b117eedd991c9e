#include "nn/attention/score_bias.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

TEST_CASE("values by distance lie on the diagonals of a block", "[nn][score_bias][unit]") {
  const int64_t query_len = GENERATE(1, 3, 5);
  const int64_t key_len = GENERATE(1, 2, 6);
  CAPTURE(query_len, key_len);
  const auto values = torch::randn({2, query_len + key_len - 1});
  const auto block = by_distance(values, query_len);
  REQUIRE(block.sizes() == torch::IntArrayRef({2, query_len, key_len}));
  for (int64_t q = 0; q < query_len; ++q) {
    for (int64_t k = 0; k < key_len; ++k) {
      const auto expected = values.select(1, k - q + query_len - 1);
      REQUIRE(test::max_diff(block.select(1, q).select(1, k), expected) == 0.0);
    }
  }
}

TEST_CASE("a value gathers the gradients of its diagonal", "[nn][score_bias][unit]") {
  const auto values = torch::zeros({1, 4}, torch::requires_grad());
  by_distance(values, 2).sum().backward();  // distances -1, 0, 1, 2 of 2 queries and 3 keys
  REQUIRE(torch::equal(values.grad(), torch::tensor({{1.F, 2.F, 2.F, 1.F}})));
}

}  // namespace
}  // namespace heed::nn
