#include "data/batch.h"

#include <stdexcept>
#include <vector>

#include "data/examples.h"
#include "support/catch.h"

namespace data = heed::data;

namespace {

/// Of examples given in place.
data::Batch collate(const std::vector<data::Example>& examples) {
  std::vector<const data::Example*> pointers;
  for (const auto& example : examples) pointers.push_back(&example);
  return data::collate(pointers);
}

bool same(const torch::Tensor& a, const torch::Tensor& b) {
  return a.scalar_type() == b.scalar_type() && torch::equal(a, b);
}

torch::Tensor ids(const std::vector<int64_t>& values) { return torch::tensor(values); }

}  // namespace

TEST_CASE("a pair gets its special tokens, and padding after them", "[data][batch][unit]") {
  const auto batch = collate({{.source = {7, 8, 9}, .target = {5}, .index = 4},
                              {.source = {6}, .target = {9, 8, 7}, .index = 2}});
  CHECK(batch.size() == 2);
  CHECK(same(batch.source, ids({7, 8, 9, 3, 6, 3, 0, 0}).view({2, 4})));
  CHECK(same(batch.source_lengths, ids({4, 2})));
  CHECK(same(batch.target_in, ids({2, 5, 0, 0, 2, 9, 8, 7}).view({2, 4})));
  CHECK(same(batch.target_out, ids({5, 3, 0, 0, 9, 8, 7, 3}).view({2, 4})));
  CHECK(same(batch.target_lengths, ids({2, 4})));
  CHECK(same(batch.examples, ids({4, 2})));
  CHECK(batch.source_tokens == 6);
  CHECK(batch.target_tokens == 6);
  CHECK_FALSE(batch.labels.defined());
}

TEST_CASE("a labeled text has no target", "[data][batch][unit]") {
  const auto batch = collate({{.source = {5}, .target = {}, .label = 1, .index = 0},
                              {.source = {6, 7}, .target = {}, .label = 0, .index = 9}});
  CHECK(same(batch.labels, ids({1, 0})));
  CHECK(same(batch.source, ids({5, 3, 0, 6, 7, 3}).view({2, 3})));
  CHECK(batch.source_tokens == 5);
  CHECK(batch.target_tokens == 0);
  CHECK_FALSE(batch.target_in.defined());
  CHECK_FALSE(batch.target_out.defined());
  CHECK_FALSE(batch.target_lengths.defined());
}

TEST_CASE("an example alone needs no padding, an empty one is its special tokens",
          "[data][batch][unit]") {
  const auto batch = collate({{.source = {}, .target = {}, .index = 0}});
  CHECK(same(batch.source, ids({3}).view({1, 1})));
  CHECK(same(batch.target_in, ids({2}).view({1, 1})));
  CHECK(same(batch.target_out, ids({3}).view({1, 1})));
}

TEST_CASE("a batch on another device keeps its lengths here", "[data][batch][unit]") {
  const auto batch = collate({{.source = {7}, .target = {5}, .index = 0}}).to(torch::kMeta);
  CHECK(batch.source.is_meta());
  CHECK(batch.target_in.is_meta());
  CHECK(batch.target_out.is_meta());
  CHECK(batch.source_lengths.is_cpu());
  CHECK(batch.target_lengths.is_cpu());
  CHECK_FALSE(batch.labels.defined());
}

TEST_CASE("a batch of nothing is a bug", "[data][batch][unit]") {
  CHECK_THROWS_AS(data::collate({}), std::logic_error);
}

TEST_CASE("every id stands where its example and place say, whatever the lengths",
          "[data][batch][property]") {
  const auto seed = static_cast<uint64_t>(GENERATE(range(0, 5)));
  const auto examples = data::test::caption_examples(1 + static_cast<int64_t>(seed) * 8, seed);
  const auto batch = collate(examples);
  for (int64_t row = 0; row < batch.size(); ++row) {
    const auto& target = examples[row].target;
    const auto length = std::ssize(target) + 1;
    const auto in = batch.target_in[row];
    const auto out = batch.target_out[row];
    REQUIRE(same(in.slice(0, 1, length), ids(target)));
    REQUIRE(same(out.slice(0, 0, length - 1), ids(target)));
    REQUIRE(in[0].item<int64_t>() == 2);
    REQUIRE(out[length - 1].item<int64_t>() == 3);
    REQUIRE(out.slice(0, length).sum().item<int64_t>() == 0);
  }
  REQUIRE((batch.source != 0).sum().item<int64_t>() == batch.source_tokens);
  REQUIRE((batch.target_out != 0).sum().item<int64_t>() == batch.target_tokens);
  REQUIRE(batch.source.size(1) == batch.source_lengths.max().item<int64_t>());
  REQUIRE(batch.target_out.size(1) == batch.target_lengths.max().item<int64_t>());
}
