#include "data/bucket.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"

namespace heed::data {
namespace {

enum Draw : uint64_t { kOrderOfExamples, kOrderOfBatches };

/// Tokens that batch_tokens counts, EOS among them.
int64_t counted(const Example& example) {
  return std::ssize(example.label >= 0 ? example.source : example.target) + 1;
}

std::vector<int64_t> places(const std::vector<Example>& examples) {
  std::vector<int64_t> order(examples.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// By the longer side, then by how much longer the source is: up in odd rows of equal length and
/// down in even ones, so that a batch which spans two of them holds pairs of like shape too.
void sort_by_length(const std::vector<Example>& examples, std::vector<int64_t>& order) {
  std::ranges::stable_sort(order, {}, [&](int64_t place) {
    const auto source = std::ssize(examples[place].source);
    const auto target = std::ssize(examples[place].target);
    const auto longer = std::max(source, target);
    return std::pair(longer, longer % 2 == 1 ? source - target : target - source);
  });
}

std::vector<std::vector<int64_t>> cut(const std::vector<Example>& examples,
                                      const std::vector<int64_t>& order, int64_t batch_tokens) {
  std::vector<std::vector<int64_t>> batches;
  int64_t tokens = 0;
  for (const auto place : order) {
    tokens += counted(examples[place]);
    if (batches.empty() || tokens > batch_tokens) {
      batches.emplace_back();
      tokens = counted(examples[place]);
    }
    batches.back().push_back(place);
  }
  return batches;
}

}  // namespace

std::vector<std::vector<int64_t>> plan(const std::vector<Example>& examples, int64_t batch_tokens,
                                       int64_t seed, int64_t epoch) {
  const auto key = [&](Draw draw) {
    return Random({static_cast<uint64_t>(seed), static_cast<uint64_t>(epoch), draw});
  };
  auto order = places(examples);
  key(kOrderOfExamples).shuffle(order);  // among those of equal length
  sort_by_length(examples, order);
  auto batches = cut(examples, order, batch_tokens);
  key(kOrderOfBatches).shuffle(batches);
  return batches;
}

std::vector<std::vector<int64_t>> plan_sorted(const std::vector<Example>& examples,
                                              int64_t batch_tokens) {
  auto order = places(examples);
  sort_by_length(examples, order);
  return cut(examples, order, batch_tokens);
}

}  // namespace heed::data
