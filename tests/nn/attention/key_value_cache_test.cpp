#include "nn/attention/key_value_cache.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

using Precision = CacheOptions::Precision;

/// Tokens of a cache, told apart by their numbers.
struct Tokens {
  torch::Tensor key, value;

  void feed(GrowingCache& cache, int64_t first, int64_t len) const {
    cache.append(key.narrow(2, first, len), value.narrow(2, first, len));
  }
};

Tokens make_tokens(int64_t rows, int64_t len) {
  return {torch::randn({rows, 3, len, 4}), torch::randn({rows, 3, len, 2})};
}

TEST_CASE("a growing cache holds what was appended, in order", "[nn][key_value_cache][unit]") {
  torch::manual_seed(1);
  GrowingCache cache(5, {});
  const auto tokens = make_tokens(2, 6);
  REQUIRE(cache.past() == 0);
  tokens.feed(cache, 0, 2);
  tokens.feed(cache, 2, 3);
  REQUIRE(cache.past() == 5);
  REQUIRE_FALSE(cache.kept().has_value());
  REQUIRE(torch::equal(cache.key(), tokens.key.narrow(2, 0, 5)));
  REQUIRE(torch::equal(cache.value(), tokens.value.narrow(2, 0, 5)));
  REQUIRE_THROWS_WITH(tokens.feed(cache, 5, 1),
                      test::ContainsSubstring("5 + 1 tokens exceed the room for 5"));
  GrowingCache other(5, {});
  tokens.feed(other, 0, 1);
  REQUIRE_THROWS_WITH(make_tokens(3, 2).feed(other, 0, 1),
                      test::ContainsSubstring("3 rows for a cache of 2"));
}

TEST_CASE("select keeps, doubles and drops rows, and leaves room to grow",
          "[nn][key_value_cache][property]") {
  const auto filled = GENERATE(0, 1, 3);
  const auto precision = GENERATE(Precision::kSame, Precision::kInt8);
  const auto rows = GENERATE(values<std::vector<int64_t>>({{0, 1, 2}, {2}, {1, 1, 0, 2, 2}}));
  torch::manual_seed(filled);
  GrowingCache cache(4, {.precision = precision});
  const auto tokens = make_tokens(3, 4);
  tokens.feed(cache, 0, filled);
  const auto before = cache.key();
  const auto index = torch::tensor(rows);
  cache.select(index);
  REQUIRE(cache.past() == filled);
  REQUIRE(torch::equal(cache.key(), before.index_select(0, index)));
  const auto next = make_tokens(index.size(0), 1);
  next.feed(cache, 0, 1);
  REQUIRE(test::max_diff(cache.key().narrow(2, filled, 1), next.key) < 0.05);
  REQUIRE(test::max_diff(cache.value().narrow(2, filled, 1), next.value) < 0.05);
}

TEST_CASE("a bounded cache keeps the first few and the most recent, and knows where they stand",
          "[nn][key_value_cache][property]") {
  const auto max = GENERATE(values<int64_t>({1, 2, 3, 5, 7, 9}));
  const auto len = GENERATE(values<int64_t>({1, 5, 8, 13, 20}));
  CAPTURE(max, len);
  torch::manual_seed(max);
  GrowingCache cache(20, {.max = max});
  const auto tokens = make_tokens(2, 20);
  for (int64_t t = 0; t < len; ++t) tokens.feed(cache, t, 1);
  REQUIRE(cache.past() == len);
  REQUIRE(cache.key().size(2) == std::min(max, len));
  const auto sinks = std::min<int64_t>(4, max / 2);

  auto places = torch::arange(len);
  REQUIRE(cache.kept().has_value() == (len > max));
  if (cache.kept()) {
    places = cache.kept()->tensor(torch::kCPU);
    REQUIRE(cache.kept()->sinks == sinks);
    const auto expected =
        torch::cat({torch::arange(sinks), torch::arange(len - (max - sinks), len)});
    REQUIRE(torch::equal(std::get<0>(places.sort()), expected));
  }
  REQUIRE(torch::equal(cache.key(), tokens.key.index_select(2, places)));
  REQUIRE(torch::equal(cache.value(), tokens.value.index_select(2, places)));
}

TEST_CASE("a bounded cache has room for what it keeps, and takes one token at a time",
          "[nn][key_value_cache][unit]") {
  GrowingCache bounded(1000, {.max = 10});
  GrowingCache whole(1000, {});
  const auto tokens = make_tokens(2, 2);
  tokens.feed(bounded, 0, 1);
  tokens.feed(whole, 0, 1);
  REQUIRE(bounded.bytes() * 100 == whole.bytes());
  REQUIRE_THROWS_WITH(tokens.feed(bounded, 0, 2), test::ContainsSubstring("one token at a time"));
  REQUIRE(GrowingCache(10, {.max = 10}).evicts() == false);
}

TEST_CASE("what each token finds kept is told as a mask", "[nn][key_value_cache][unit]") {
  const GrowingCache cache(6, {.max = 3});  // the first one and the two most recent
  const auto expected = torch::tensor({1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0,  //
                                       1, 0, 1, 1, 0, 1, 0, 0, 1, 1})
                            .view({5, 5})
                            .to(torch::kBool);
  REQUIRE(torch::equal(cache.kept_mask(5, torch::kCPU), expected));
  REQUIRE_FALSE(cache.kept_mask(3, torch::kCPU).defined());
  const auto ring = GrowingCache::ring(9, 1, Precision::kSame);
  REQUIRE(torch::equal(ring->kept_mask(4, torch::kCPU), torch::eye(4).to(torch::kBool)));
}

TEST_CASE("a ring holds the most recent only", "[nn][key_value_cache][unit]") {
  torch::manual_seed(1);
  const auto cache = GrowingCache::ring(10, 3, Precision::kSame);
  const auto tokens = make_tokens(1, 8);
  for (int64_t t = 0; t < 8; ++t) tokens.feed(*cache, t, 1);
  const auto places = cache->kept()->tensor(torch::kCPU);
  REQUIRE(torch::equal(std::get<0>(places.sort()), torch::arange(5, 8)));
  REQUIRE(torch::equal(cache->key(), tokens.key.index_select(2, places)));
}

TEST_CASE("a memory's rows and lengths are selected together", "[nn][key_value_cache][unit]") {
  const auto key = torch::randn({3, 2, 4, 5});
  const auto value = torch::randn({3, 2, 4, 2});
  MemoryCache cache(key, value, torch::tensor({4, 2, 1}, torch::kLong), {});
  REQUIRE(cache.past() == 0);
  REQUIRE(cache.key().data_ptr() == key.data_ptr());
  cache.select(torch::tensor({2, 0}, torch::kLong));
  REQUIRE(torch::equal(cache.lengths(), torch::tensor({1, 4}, torch::kLong)));
  REQUIRE(torch::equal(cache.key(), torch::stack({key[2], key[0]})));
  REQUIRE(torch::equal(cache.value(), torch::stack({value[2], value[0]})));
}

TEST_CASE("a memory kept as int8 takes about a quarter of the room",
          "[nn][key_value_cache][unit]") {
  torch::manual_seed(1);
  const auto key = torch::randn({2, 2, 50, 64});
  const MemoryCache whole(key, key, {}, {});
  const MemoryCache int8(key, key, {}, {.precision = Precision::kInt8});
  const MemoryCache bf16(key, key, {}, {.precision = Precision::kBf16});
  REQUIRE(bf16.bytes() * 2 == whole.bytes());
  REQUIRE(int8.bytes() * 64 == whole.bytes() * 17);  // 64 bytes and a scale of 4 for 256
  REQUIRE(test::max_diff(int8.key(), key) < 0.02);
  REQUIRE(test::max_diff(bf16.key(), key) < 0.02);
}

}  // namespace
}  // namespace heed::nn
