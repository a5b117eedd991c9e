#include "data/regroup.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

namespace heed::data {
namespace {

constexpr std::size_t kMostBatches = 2048;
constexpr std::size_t kNeighbors = 8;
constexpr int64_t kMostRounds = 3;
constexpr int64_t kTargetWeight = 2;

/// The longest side of each kind: the shape every example of a batch is padded to.
Shape hull(std::span<const Shape> shapes, const std::vector<int64_t>& batch) {
  Shape out;
  for (const auto place : batch) {
    out.source = std::max(out.source, shapes[place].source);
    out.target = std::max(out.target, shapes[place].target);
  }
  return out;
}

int64_t cost(const Shape& padded, std::size_t examples) {
  return static_cast<int64_t>(examples) * (padded.source + kTargetWeight * padded.target);
}

/// What an order along a line of the plane of shapes sorts by.
using Direction = std::pair<int32_t, int32_t>;  // of source and target
constexpr std::array<Direction, 4> kDirections = {{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};

struct Parted {
  int64_t cost = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> first, second;
};

/// The cheapest cut of `order` into two batches that fit; `best` where it is cheaper.
void cut_in_two(std::span<const Shape> shapes, int64_t batch_tokens,
                const std::vector<int64_t>& order, Parted& best) {
  std::vector<Shape> rest(order.size() + 1);  // hull of what comes after
  std::vector<int64_t> tokens(order.size() + 1, 0);
  for (auto i = order.size(); i-- > 0;) {
    const auto& shape = shapes[order[i]];
    rest[i] = {.source = std::max(rest[i + 1].source, shape.source),
               .target = std::max(rest[i + 1].target, shape.target)};
    tokens[i] = tokens[i + 1] + shape.counted();
  }
  Shape first;
  std::size_t at = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto& shape = shapes[order[i - 1]];
    first = {.source = std::max(first.source, shape.source),
             .target = std::max(first.target, shape.target)};
    if (tokens[0] - tokens[i] > batch_tokens || tokens[i] > batch_tokens) continue;
    const auto both = cost(first, i) + cost(rest[i], order.size() - i);
    if (both >= best.cost) continue;
    best.cost = both;
    at = i;
  }
  if (at == 0) return;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(at);
  best.first.assign(order.begin(), middle);
  best.second.assign(middle, order.end());
}

/// Shares the examples of two batches out anew, where that is cheaper.
bool share_out(std::span<const Shape> shapes, int64_t batch_tokens, std::vector<int64_t>& a,
               std::vector<int64_t>& b) {
  Parted best{.cost = cost(hull(shapes, a), a.size()) + cost(hull(shapes, b), b.size()),
              .first = {},
              .second = {}};
  auto both = a;
  both.insert(both.end(), b.begin(), b.end());
  for (const auto& direction : kDirections) {
    std::ranges::stable_sort(both, {}, [&](int64_t place) {
      const auto& shape = shapes[place];
      return std::pair(direction.first * shape.source + direction.second * shape.target,
                       shape.target);
    });
    cut_in_two(shapes, batch_tokens, both, best);
  }
  if (best.first.empty()) return false;
  a = std::move(best.first);
  b = std::move(best.second);
  return true;
}

/// Batches whose padded shape is the nearest to that of batch `i`, nearest first.
std::vector<std::size_t> neighbors(const std::vector<Shape>& hulls, std::size_t i) {
  std::vector<std::pair<int64_t, std::size_t>> near;
  for (std::size_t j = 0; j < hulls.size(); ++j) {
    if (j == i) continue;
    near.emplace_back(
        std::abs(hulls[i].source - hulls[j].source) + std::abs(hulls[i].target - hulls[j].target),
        j);
  }
  const auto count = std::min(kNeighbors, near.size());
  std::ranges::partial_sort(near, near.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < count; ++k) out.push_back(near[k].second);
  return out;
}

}  // namespace

void regroup(std::span<const Shape> shapes, int64_t batch_tokens, Plan& batches) {
  if (batches.size() > kMostBatches) return;
  std::vector<Shape> hulls;
  for (const auto& batch : batches) hulls.push_back(hull(shapes, batch));
  std::vector<int64_t> changed(batches.size(), 0);  // when each was shared out last
  std::map<std::pair<std::size_t, std::size_t>, int64_t> tried;
  int64_t now = 0;
  const auto share = [&](std::size_t i, std::size_t j) {
    auto& last = tried.try_emplace(std::minmax(i, j), -1).first->second;
    if (last >= std::max(changed[i], changed[j])) return false;
    last = ++now;
    if (!share_out(shapes, batch_tokens, batches[i], batches[j])) return false;
    changed[i] = changed[j] = last;
    hulls[i] = hull(shapes, batches[i]);
    hulls[j] = hull(shapes, batches[j]);
    return true;
  };
  bool cheaper = true;
  for (int64_t round = 0; cheaper && round < kMostRounds; ++round) {
    cheaper = false;
    for (std::size_t i = 0; i < batches.size(); ++i) {
      for (const auto j : neighbors(hulls, i)) cheaper = share(i, j) || cheaper;
    }
  }
}

}  // namespace heed::data
