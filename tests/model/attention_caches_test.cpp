#include "model/attention_variants.h"

// What every registered variant keeps with a cache: of what was written, and of a memory.

namespace heed::model {
namespace {

TEST_CASE("a causal query sees the past only, and cached steps equal the full pass",
          "[model][attention][property]") {
  const auto variant = GENERATE(from_range(test::self_variants()));
  const auto step = GENERATE(values<int64_t>({1, 2, 3}));  // tokens fed at once
  const auto seed = GENERATE(range(0, 10));
  CAPTURE(variant.name(), step, seed);
  torch::manual_seed(seed);
  const torch::NoGradGuard no_grad;
  constexpr int64_t kLen = 12;
  const auto attention = test::make_variant(variant, "auto", 8, 2, Role::kDecoder);
  const auto query = torch::randn({3, kLen, 8});
  attention->eval();

  const nn::Visible visible{.causal = true};
  const auto full = attention->forward({.query = query, .visible = visible});  // [B, T, D]

  const auto cache = attention->start(kLen, {});
  for (int64_t past = 0; past < kLen; past += step) {
    REQUIRE(cache->past() == past);
    const auto context = attention->forward(
        {.query = query.narrow(1, past, step), .visible = visible, .cache = cache.get()});
    REQUIRE(test::max_diff(context, full.narrow(1, past, step)) < 2e-6);
  }
  REQUIRE_THROWS_WITH(
      attention->forward(
          {.query = query.narrow(1, 0, 1), .visible = visible, .cache = cache.get()}),
      test::ContainsSubstring("exceed the room for 12"));
}

TEST_CASE("keys and values kept as bf16 or int8 give nearly the same",
          "[model][attention][property]") {
  using Precision = nn::CacheOptions::Precision;
  const auto variant = GENERATE(from_range(test::self_variants()));
  const auto precision = GENERATE(Precision::kBf16, Precision::kInt8);
  if (variant.type == "top_k" && variant.narrow) return;  // rounded, other keys may be best
  CAPTURE(variant.name(), static_cast<int>(precision));
  torch::manual_seed(3);
  const torch::NoGradGuard no_grad;
  const auto attention = test::make_variant(variant, "auto", 8, 2, Role::kDecoder);
  const auto query = torch::randn({3, 8, 8});
  const nn::Visible visible{.causal = true};
  const auto full = attention->forward({.query = query, .visible = visible});
  const auto cache = attention->start(8, {.precision = precision});
  for (int64_t past = 0; past < 8; ++past) {
    const auto context = attention->forward(
        {.query = query.narrow(1, past, 1), .visible = visible, .cache = cache.get()});
    REQUIRE(test::max_diff(context, full.narrow(1, past, 1)) < 0.05);
  }
  const auto memory = torch::randn({3, 5, 8});
  const auto lengths = torch::tensor({5, 0, 2}, torch::kLong);
  const auto cross = test::make_variant(variant, "auto", 8, 2, Role::kCross);
  const auto remembered = cross->remember(memory, lengths, {.precision = precision});
  const auto context = cross->forward({.query = query, .cache = remembered.get()});
  const auto plain = cross->forward({query, memory, {.lengths = lengths}});
  REQUIRE(test::max_diff(context, plain) < 0.05);
}

TEST_CASE("a bounded cache gives what a mask of the first few and the recent gives",
          "[model][attention][property]") {
  const auto variant = GENERATE(from_range(test::self_variants()));
  const auto max = GENERATE(values<int64_t>({1, 3, 6, 20}));
  const auto step = GENERATE(values<int64_t>({1, 4}));
  if (variant.type == "linear" || (variant.type == "window" && variant.narrow)) return;
  CAPTURE(variant.name(), max, step);
  torch::manual_seed(max);
  const torch::NoGradGuard no_grad;
  constexpr int64_t kLen = 16;
  const auto attention = test::make_variant(variant, "auto", 8, 2, Role::kDecoder);
  const auto query = torch::randn({2, kLen, 8});

  // Without global or random keys only the most recent are kept.
  const bool ring = variant.type == "window" || (variant.type == "longformer" && !variant.narrow);
  const auto sinks = ring ? 0 : std::min<int64_t>(4, max / 2);
  const auto key = torch::arange(kLen);
  const auto past = key.unsqueeze(1) - key;  // [Tq, Tk]
  const auto allowed = (key < sinks) | (past < max - sinks);
  const auto expected =
      attention->forward({.query = query, .visible = {.causal = true, .allowed = allowed}});

  const auto cache = attention->start(kLen, {.max = max});
  for (int64_t first = 0; first < kLen; first += step) {
    const auto context = attention->forward(
        {.query = query.narrow(1, first, step), .visible = {.causal = true}, .cache = cache.get()});
    REQUIRE(test::max_diff(context, expected.narrow(1, first, step)) < 2e-6);
  }
}

TEST_CASE("texts padded on the left are decoded through a cache as alone, though it forgets",
          "[model][attention][property]") {
  const auto variant = GENERATE(from_range(test::self_variants()));
  const auto max = GENERATE(values<int64_t>({0, 6}));
  const auto step = GENERATE(values<int64_t>({1, 3}));
  if (variant.type == "linear" && max > 0) return;  // its sums forget nothing
  CAPTURE(variant.name(), max, step);
  torch::manual_seed(2);
  const torch::NoGradGuard no_grad;
  constexpr int64_t kLen = 12;
  const auto attention = test::make_variant(variant, "auto", 8, 2, Role::kDecoder);
  const auto query = torch::randn({2, kLen, 8});
  const auto real =
      (torch::arange(kLen) >= torch::tensor({0, 4}).unsqueeze(1)).view({2, 1, 1, kLen});
  const auto cache = attention->start(kLen, {.max = max});
  const auto open = attention->start(kLen, {.max = max});
  auto spoiled = query.clone();
  spoiled[1].narrow(0, 0, 4).normal_().mul_(100.0);  // what is hidden changes nothing
  for (int64_t first = 0; first < kLen; first += step) {
    const auto run = [&](const torch::Tensor& x, nn::AttentionCache& kept) {
      const nn::Visible visible{.causal = true, .allowed = real.narrow(3, 0, first + step)};
      return attention->forward(
          {.query = x.narrow(1, first, step), .visible = visible, .cache = &kept});
    };
    const auto context = run(query, *cache);
    const auto same = run(spoiled, *open);
    for (int64_t t = first; t < first + step; ++t) {
      REQUIRE(test::max_diff(context[0][t - first], same[0][t - first]) < 2e-6);
      if (t >= 4) REQUIRE(test::max_diff(context[1][t - first], same[1][t - first]) < 2e-6);
    }
  }
  if (max > 0) return;
  const auto full =
      attention->forward({.query = query, .visible = {.causal = true, .allowed = real}});
  const auto again = attention->start(kLen, {});
  const auto context = attention->forward(
      {.query = query, .visible = {.causal = true, .allowed = real}, .cache = again.get()});
  REQUIRE(test::max_diff(context, full) < 2e-6);
}

TEST_CASE("fewer key and value heads are shared, in steps and from a memory",
          "[model][attention][property]") {
  const auto variant = GENERATE(from_range(test::self_variants()));
  const auto kv_heads = GENERATE(values<int64_t>({1, 2}));
  if (variant.type == "single_head") return;
  CAPTURE(variant.name(), kv_heads);
  torch::manual_seed(kv_heads);
  const torch::NoGradGuard no_grad;
  auto config = variant.config(16, 4);
  config.kv_heads = kv_heads;
  const auto attention = make_attention(config, Role::kDecoder);
  const auto query = torch::randn({2, 9, 16});
  const nn::Visible causal{.causal = true};
  const auto full = attention->forward({.query = query, .visible = causal});
  const auto cache = attention->start(9, {});
  for (int64_t t = 0; t < 9; ++t) {
    const auto context = attention->forward(
        {.query = query.narrow(1, t, 1), .visible = causal, .cache = cache.get()});
    REQUIRE(test::max_diff(context, full.narrow(1, t, 1)) < 2e-6);
  }
  const auto cross = make_attention(config, Role::kCross);
  const auto memory = torch::randn({2, 5, 16});
  const auto lengths = torch::tensor({5, 2}, torch::kLong);
  const auto remembered = cross->remember(memory, lengths, {});
  nn::AttentionParts parts;
  const auto shown = cross->forward({.query = query, .cache = remembered.get(), .parts = &parts});
  const auto plain = cross->forward({.query = query, .cache = remembered.get()});
  REQUIRE(test::max_diff(plain, shown) < 2e-6);
  REQUIRE(test::max_diff(cross->forward({query, memory, {.lengths = lengths}}), shown) < 2e-6);
  REQUIRE(parts.weights.size(1) == 4);
}

TEST_CASE("hypotheses that share a memory row get what a repeated row gives, after select too",
          "[model][attention][property]") {
  const auto variant = GENERATE(from_range(test::variants()));
  const auto seed = GENERATE(range(0, 5));
  CAPTURE(variant.name(), seed);
  torch::manual_seed(seed);
  const torch::NoGradGuard no_grad;
  const auto [attention, query, memory, lengths] = test::make_sample(variant, {3, 2, 8, 1, 5});
  const auto hypotheses = torch::randn({4, 1, 8});  // two for each memory row kept
  const auto kept = torch::tensor({2, 1}, torch::kLong);

  const auto cache = attention->remember(memory, lengths, {});
  cache->select(kept);
  const auto shared = attention->forward({.query = hypotheses, .cache = cache.get()});
  const auto rows = kept.repeat_interleave(2);
  const auto repeated = attention->forward({.query = hypotheses,
                                            .memory = memory.index_select(0, rows),
                                            .visible = {.lengths = lengths.index_select(0, rows)}});
  REQUIRE(test::max_diff(shared, repeated) < 1e-6);

  nn::AttentionParts parts;
  attention->forward({.query = hypotheses, .cache = cache.get(), .parts = &parts});
  REQUIRE(parts.weights.size(0) == 4);
}

TEST_CASE("cached equals uncached after hypotheses were dropped, doubled and reordered",
          "[model][attention][property]") {
  const auto variant = GENERATE(from_range(test::self_variants()));
  const auto seed = GENERATE(range(0, 5));
  CAPTURE(variant.name(), seed);
  torch::manual_seed(seed);
  const torch::NoGradGuard no_grad;
  const auto attention = test::make_variant(variant, "auto", 8, 2, Role::kDecoder);
  const auto query = torch::randn({3, 10, 8});
  const auto rows = torch::tensor({2, 0, 2, 1}, torch::kLong);
  const nn::Visible visible{.causal = true};
  const auto cache = attention->start(10, {});
  cache->select(torch::arange(3));
  attention->forward({.query = query.narrow(1, 0, 6), .visible = visible, .cache = cache.get()});
  cache->select(rows);
  const auto chosen = query.index_select(0, rows);
  const auto full = attention->forward({.query = chosen, .visible = visible});
  for (int64_t past = 6; past < 10; ++past) {
    const auto context = attention->forward(
        {.query = chosen.narrow(1, past, 1), .visible = visible, .cache = cache.get()});
    REQUIRE(test::max_diff(context, full.narrow(1, past, 1)) < 2e-6);
  }
}

}  // namespace
}  // namespace heed::model
