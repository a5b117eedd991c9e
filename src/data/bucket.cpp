#include "data/bucket.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/random.h"
#include "data/regroup.h"

namespace heed::data {
namespace {

enum Draw : uint64_t { kOrderOfExamples, kOrderOfBatches };

/// Sources may be this much longer than targets before their length counts: padding of targets,
/// which go through the output projection, costs more.
constexpr int32_t kSourceSlack = 1;

std::vector<int64_t> places(std::size_t count) {
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// What examples are sorted by: the longer side, then by how much longer the source is: up in odd
/// rows of equal length and down in even ones, so that a batch which spans two of them holds pairs
/// of like shape too.
std::pair<int32_t, int32_t> rank(const Shape& shape) {
  const auto [source, target] = shape;
  if (target == 0) return {source, 0};
  const auto longer = std::max(source - kSourceSlack, target);
  return {longer, longer % 2 == 1 ? source - target : target - source};
}

/// Examples of equal rank stay in their order.
void sort_by_length(std::span<const Shape> shapes, std::vector<int64_t>& order) {
  struct Ranked {
    std::pair<int32_t, int32_t> rank;
    int64_t turn;  // in the order so far
    int64_t place;
    bool operator<(const Ranked& other) const {
      return std::tie(rank, turn) < std::tie(other.rank, other.turn);
    }
  };
  std::vector<Ranked> ranked;
  ranked.reserve(order.size());
  for (const auto place : order) {
    ranked.push_back({rank(shapes[place]), std::ssize(ranked), place});
  }
  std::sort(ranked.begin(), ranked.end());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = ranked[i].place;
}

Plan cut(std::span<const Shape> shapes, const std::vector<int64_t>& order, int64_t batch_tokens) {
  Plan batches;
  int64_t tokens = 0;
  for (const auto place : order) {
    tokens += shapes[place].counted();
    if (batches.empty() || tokens > batch_tokens) {
      batches.emplace_back();
      tokens = shapes[place].counted();
    }
    batches.back().push_back(place);
  }
  return batches;
}

}  // namespace

std::vector<Shape> shapes_of(const std::vector<Example>& examples) {
  std::vector<Shape> shapes;
  for (const auto& example : examples) {
    const bool labeled = example.label >= 0;
    shapes.push_back({.source = static_cast<int32_t>(example.source.size()) + 1,
                      .target = labeled ? 0 : static_cast<int32_t>(example.target.size()) + 1});
  }
  return shapes;
}

Plan plan(std::span<const Shape> shapes, int64_t batch_tokens, int64_t seed, int64_t epoch,
          int64_t block) {
  const auto key = [&](Draw draw) {
    return Random({static_cast<uint64_t>(seed), static_cast<uint64_t>(epoch), draw,
                   static_cast<uint64_t>(block)});
  };
  auto order = places(shapes.size());
  key(kOrderOfExamples).shuffle(order);  // among those of equal length
  sort_by_length(shapes, order);
  auto batches = cut(shapes, order, batch_tokens);
  regroup(shapes, batch_tokens, batches);
  key(kOrderOfBatches).shuffle(batches);
  return batches;
}

Plan plan_sorted(std::span<const Shape> shapes, int64_t batch_tokens) {
  auto order = places(shapes.size());
  sort_by_length(shapes, order);
  return cut(shapes, order, batch_tokens);
}

Plan plan_sorted(const std::vector<Example>& examples, int64_t batch_tokens) {
  return plan_sorted(shapes_of(examples), batch_tokens);
}

}  // namespace heed::data
