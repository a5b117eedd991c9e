#include "text/merges.h"

#include <algorithm>

#include "base/random.h"

namespace heed::text {
namespace {

constexpr Symbol kGone = -2;  // merged into the part on its left

}  // namespace

void Merger::consider(const std::vector<Part>& parts, int32_t left, int32_t right,
                      std::vector<Candidate>& out) {
  if (left < 0 || right < 0) return;
  const auto [a, b] = std::pair(parts[left].symbol, parts[right].symbol);
  const auto* merge = merges_.find(a, b);
  if (merge != nullptr) out.push_back({merge->rank, left, right, a, b, merge->merged});
}

void Merger::push(std::vector<Candidate>& candidates) {
  for (const auto& candidate : candidates) {
    queue_.push_back(candidate);
    std::ranges::push_heap(queue_, Later());
  }
  candidates.clear();
}

void Merger::start(const std::vector<Part>& parts) {
  const auto count = static_cast<int32_t>(parts.size());
  links_.resize(parts.size());
  queue_.clear();
  for (int32_t i = 0; i < count; ++i) {
    links_[i] = {i - 1, i + 1 == count ? -1 : i + 1};
    if (i > 0) consider(parts, i - 1, i, queue_);
  }
  std::ranges::make_heap(queue_, Later());
}

/// Whether the pair is still there as it was.
bool Merger::stands(const std::vector<Part>& parts, const Candidate& candidate) const {
  return parts[candidate.left].symbol == candidate.left_symbol &&
         parts[candidate.right].symbol == candidate.right_symbol &&
         links_[candidate.left].after == candidate.right;
}

void Merger::apply(std::vector<Part>& parts, const Candidate& candidate) {
  const auto [left, right] = std::pair(candidate.left, candidate.right);
  parts[left].symbol = candidate.merged;
  parts[left].end = parts[right].end;
  parts[right].symbol = kGone;
  links_[left].after = links_[right].after;
  if (links_[left].after >= 0) links_[links_[left].after].before = left;
  consider(parts, links_[left].before, left, fresh_);
  consider(parts, left, links_[left].after, fresh_);
}

void Merger::run(std::vector<Part>& parts, double dropout, Random* random) {
  start(parts);
  double rank = 0.0;  // of the last merge
  while (true) {
    const bool rule_done = queue_.empty() || queue_.front().rank != rank;
    if (!fresh_.empty() && (rule_done || !merges_.rule_by_rule())) push(fresh_);
    if (queue_.empty()) break;
    std::ranges::pop_heap(queue_, Later());
    const auto best = queue_.back();
    queue_.pop_back();
    if (!stands(parts, best)) continue;
    if (random != nullptr && random->uniform() < dropout) {
      dropped_.push_back(best);
      continue;
    }
    rank = best.rank;
    apply(parts, best);
    push(dropped_);
  }
  dropped_.clear();
  std::erase_if(parts, [](const Part& part) { return part.symbol == kGone; });
}

void Merger::merge(std::vector<Part>& parts) { run(parts, 0.0, nullptr); }

void Merger::merge(std::vector<Part>& parts, double dropout, Random& random) {
  run(parts, dropout, dropout > 0 ? &random : nullptr);
}

}  // namespace heed::text
