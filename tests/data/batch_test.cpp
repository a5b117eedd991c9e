#include "data/batch.h"

#include <stdexcept>
#include <vector>

#include "support/catch.h"

namespace data = heed::data;

namespace {

/// Of examples given in place.
data::Batch collate(const std::vector<data::Example>& examples) {
  std::vector<const data::Example*> pointers;
  for (const auto& example : examples) pointers.push_back(&example);
  return data::collate(pointers);
}

bool equal(const torch::Tensor& a, const torch::Tensor& b) {
  return a.scalar_type() == b.scalar_type() && torch::equal(a, b);
}

torch::Tensor ids(const std::vector<int64_t>& values) { return torch::tensor(values); }

}  // namespace

TEST_CASE("a pair gets its special tokens, and padding after them", "[data][batch][unit]") {
  const auto batch = collate({{.source = {7, 8, 9}, .target = {5}, .index = 4},
                              {.source = {6}, .target = {9, 8, 7}, .index = 2}});
  CHECK(batch.size() == 2);
  CHECK(equal(batch.source, ids({7, 8, 9, 3, 6, 3, 0, 0}).view({2, 4})));
  CHECK(equal(batch.source_lengths, ids({4, 2})));
  CHECK(equal(batch.target_in, ids({2, 5, 0, 0, 2, 9, 8, 7}).view({2, 4})));
  CHECK(equal(batch.target_out, ids({5, 3, 0, 0, 9, 8, 7, 3}).view({2, 4})));
  CHECK(equal(batch.target_lengths, ids({2, 4})));
  CHECK(equal(batch.examples, ids({4, 2})));
  CHECK(batch.source_tokens == 6);
  CHECK(batch.target_tokens == 6);
  CHECK_FALSE(batch.labels.defined());
}

TEST_CASE("a labeled text has no target", "[data][batch][unit]") {
  const auto batch = collate({{.source = {5}, .target = {}, .label = 1, .index = 0},
                              {.source = {6, 7}, .target = {}, .label = 0, .index = 9}});
  CHECK(equal(batch.labels, ids({1, 0})));
  CHECK(equal(batch.source, ids({5, 3, 0, 6, 7, 3}).view({2, 3})));
  CHECK(batch.source_tokens == 5);
  CHECK(batch.target_tokens == 0);
  CHECK_FALSE(batch.target_in.defined());
  CHECK_FALSE(batch.target_out.defined());
  CHECK_FALSE(batch.target_lengths.defined());
}

TEST_CASE("an example alone needs no padding, an empty one is its special tokens",
          "[data][batch][unit]") {
  const auto batch = collate({{.source = {}, .target = {}, .index = 0}});
  CHECK(equal(batch.source, ids({3}).view({1, 1})));
  CHECK(equal(batch.target_in, ids({2}).view({1, 1})));
  CHECK(equal(batch.target_out, ids({3}).view({1, 1})));
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
