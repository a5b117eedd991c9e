#include "nn/recurrent/packing.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

torch::Tensor lengths_of(const std::vector<int64_t>& lengths) {
  return torch::tensor(lengths, torch::kLong);
}

TEST_CASE("texts are packed step by step, the longest first, and no padding with them",
          "[nn][packing][unit]") {
  const Packing packing(lengths_of({2, 0, 3, 1}), 4, torch::kCPU);
  REQUIRE(packing.batch_sizes() == std::vector<int64_t>{3, 2, 1});
  const auto x = torch::arange(16).view({4, 4});
  REQUIRE(torch::equal(packing.pack(x), torch::tensor({8, 0, 12, 9, 1, 10}, torch::kLong)));
  const auto sorted = packing.sorted(torch::tensor({2, 0, 3, 1}, torch::kLong));
  REQUIRE(torch::equal(sorted, torch::tensor({3, 2, 1, 0}, torch::kLong)));
}

TEST_CASE("unpacking puts tokens back and zeros at padding, and gradients go the same way",
          "[nn][packing][property]") {
  const auto seed = GENERATE(range(0, 5));
  torch::manual_seed(seed);
  const auto lengths = torch::randint(0, 6, {7}, torch::kLong);
  const Packing packing(lengths, 6, torch::kCPU);
  const auto x = torch::randn({7, 6, 3}).requires_grad_();
  const auto padding = (torch::arange(6) >= lengths.unsqueeze(1)).unsqueeze(-1);
  const auto back = packing.unpack(packing.pack(x));
  REQUIRE(torch::equal(back, x.masked_fill(padding, 0.0)));
  REQUIRE(torch::equal(packing.original(packing.sorted(x)), x));
  back.sum().backward();
  REQUIRE(torch::equal(x.grad(), torch::ones_like(x).masked_fill(padding, 0.0)));
}

TEST_CASE("texts that are in order already are not moved", "[nn][packing][unit]") {
  const Packing packing(lengths_of({3, 3, 1}), 3, torch::kCPU);
  const auto x = torch::randn({3, 2});
  REQUIRE(packing.sorted(x).is_same(x));
  REQUIRE(packing.original(x).is_same(x));
}

TEST_CASE("a token's noise depends on its text and place, not on the batch",
          "[nn][packing][unit]") {
  const Noise all{.seed = 1, .step = 2, .examples = lengths_of({11, 5, 7})};
  const Noise last{.seed = 1, .step = 2, .examples = lengths_of({7})};
  const Packing three(lengths_of({2, 1, 3}), 3, torch::kCPU);
  const Packing one(lengths_of({3}), 5, torch::kCPU);
  const auto keys = three.unpack(three.of_tokens(&all)->examples);
  const auto alone = one.unpack(one.of_tokens(&last)->examples);
  REQUIRE(torch::equal(keys[2], alone[0].narrow(0, 0, 3)));
  REQUIRE(std::get<0>(at::_unique(keys)).size(0) == 7);  // six tokens and the padding's 0
  REQUIRE(torch::equal(three.of_sorted(&all)->examples, lengths_of({7, 11, 5})));
  REQUIRE_FALSE(three.of_tokens(nullptr).has_value());
}

TEST_CASE("a batch without a token packs to nothing", "[nn][packing][unit]") {
  const Packing packing(lengths_of({0, 0}), 3, torch::kCPU);
  REQUIRE(packing.batch_sizes().empty());
  const auto nothing = packing.pack(torch::ones({2, 3, 4}));
  REQUIRE(nothing.sizes() == torch::IntArrayRef({0, 4}));
  REQUIRE(torch::equal(packing.unpack(nothing), torch::zeros({2, 3, 4})));
}

TEST_CASE("leading rows of what has no more are itself", "[nn][packing][unit]") {
  const auto x = torch::arange(3);
  REQUIRE(torch::equal(leading(x, 2), torch::arange(2)));
  REQUIRE(leading(x, 3).is_same(x));
  REQUIRE_FALSE(leading({}, 2).defined());
}

TEST_CASE("a length beyond the batch is refused", "[nn][packing][unit]") {
  REQUIRE_THROWS_WITH(Packing(lengths_of({2, 5}), 4, torch::kCPU),
                      test::ContainsSubstring("a text of 5 tokens in a batch of 4"));
}

}  // namespace
}  // namespace heed::nn
