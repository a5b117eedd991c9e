#include "nn/attention/sparse_attention.h"

#include <set>

#include <ATen/record_function.h>

#include "nn/attention/golden.h"
#include "nn/attention/key_value_cache.h"

namespace heed::nn {
namespace {

using Impl = ScaledDotProductOptions::Impl;

SparseAttention sparse_core(const std::string& name, Impl impl, int64_t at_once) {
  const test::AttentionGolden golden;
  const auto& json = golden.json();
  Pattern pattern{.window = json.at("window").get<int64_t>()};
  if (name != "window") {
    pattern.global_positions = json.at("global_positions").get<std::vector<int64_t>>();
  }
  if (name == "bigbird") {
    pattern.random = json.at("random").get<int64_t>();
    pattern.block = json.at("block").get<int64_t>();
  }
  return SparseAttention(
      SparseAttentionOptions{.pattern = pattern, .dense = {.impl = impl}, .at_once = at_once});
}

TEST_CASE("windows, Longformer and BigBird equal NumPy's loops, as a mask and in blocks",
          "[nn][sparse_attention][golden]") {
  const auto name = GENERATE("window", "longformer", "bigbird");
  const auto causal = GENERATE(false, true);
  const auto impl = GENERATE(Impl::kExplicit, Impl::kAuto);
  CAPTURE(name, causal, static_cast<int>(impl));
  test::AttentionGolden().require(*sparse_core(name, impl, 5), name, causal);
}

TEST_CASE("Longformer equals that of transformers", "[nn][sparse_attention][golden]") {
  const auto impl = GENERATE(Impl::kExplicit, Impl::kAuto);
  const test::AttentionGolden golden;
  auto core = sparse_core("longformer", impl, 5);
  const auto context = core->forward(golden.transformers_longformer());
  const auto expected = golden.tensor(golden.json().at("transformers_longformer").at("context"));
  const auto lengths = golden.json().at("lengths").get<std::vector<int64_t>>();
  for (int64_t b = 0; b < 2; ++b) {
    const auto real = [&](const torch::Tensor& x) { return x[b].narrow(1, 0, lengths[b]); };
    REQUIRE(test::max_diff(real(context), real(expected)) < 1e-5);
  }
}

/// The sizes of all products of two matrices while `work` runs.
int64_t largest_product(const std::function<void()>& work) {
  static int64_t largest;
  largest = 0;
  const auto handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback(
          [](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> { return nullptr; },
          [](const at::RecordFunction& function, at::ObserverContext*) {
            for (const auto& output : function.outputs()) {
              if (output.isTensor() && output.toTensor().defined()) {
                largest = std::max(largest, output.toTensor().numel());
              }
            }
          })
          .needsOutputs(true)
          .scopes({at::RecordScope::FUNCTION}));
  work();
  at::removeCallback(handle);
  return largest;
}

TEST_CASE("no tensor of a pattern grows with the square of the length",
          "[nn][sparse_attention][property]") {
  const auto name = GENERATE("window", "longformer", "bigbird");
  const auto causal = GENERATE(false, true);
  const auto trains = GENERATE(false, true);
  CAPTURE(name, causal, trains);
  const auto largest = [&](int64_t len) {
    auto core = sparse_core(name, Impl::kAuto, 16);
    const auto x = torch::randn({1, 2, len, 4}).requires_grad_(trains);
    return largest_product([&] {
      const auto context =
          core->forward({.query = x, .key = x, .value = x, .visible = {.causal = causal}});
      if (trains) context.sum().backward();
    });
  };
  REQUIRE(largest(1024) <= 2 * largest(512));
}

TEST_CASE("a window's cache is a ring of what it can still see", "[nn][sparse_attention][unit]") {
  const auto core = sparse_core("window", Impl::kAuto, 5);
  const auto x = torch::randn({1, 2, 1, 4});
  const auto fill = [&](const CacheOptions& options) {
    auto cache = core->start(50, options);
    auto* ring = dynamic_cast<GrowingCache*>(cache.get());
    for (int64_t t = 0; t < 20; ++t) ring->append(x, x);
    return ring->key().size(2);
  };
  REQUIRE(fill({}) == 3);
  REQUIRE(fill({.max = 2}) == 2);
  REQUIRE(fill({.max = 30}) == 3);
}

TEST_CASE("with global or random keys everything is kept", "[nn][sparse_attention][unit]") {
  const auto name = GENERATE("longformer", "bigbird");
  const auto core = sparse_core(name, Impl::kAuto, 5);
  const auto cache = core->start(50, {});
  REQUIRE_FALSE(dynamic_cast<GrowingCache*>(cache.get())->evicts());
}

TEST_CASE("a window of nothing is refused", "[nn][sparse_attention][unit]") {
  REQUIRE_THROWS_WITH(SparseAttention(SparseAttentionOptions{.pattern = {.window = 0}}),
                      test::ContainsSubstring("a window of 0 keys"));
}

}  // namespace
}  // namespace heed::nn
