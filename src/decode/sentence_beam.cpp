#include "decode/sentence_beam.h"

#include <algorithm>
#include <tuple>

#include "decode/score.h"

namespace heed::decode {

SentenceBeam::SentenceBeam(int64_t limit, const SearchOptions& options)
    : options_(options), limit_(limit) {}

void SentenceBeam::advance(const int64_t* ids, const float* values, int64_t k) {
  const auto ranked = candidates(ids, values, k);
  if (ranked.empty()) throw_not_finite();
  ++length_;

  // Only an ending among the best `beam_size` counts, as in fairseq and CTranslate2; it takes no
  // place away, so twice as many candidates always fill the beam.
  std::vector<Open> next;
  for (int64_t rank = 0; rank < std::ssize(ranked); ++rank) {
    const auto& candidate = ranked[rank];
    if (candidate.id == options_.end) {
      if (rank < options_.beam_size) keep(candidate.sum, add_node(candidate), /*at_limit=*/false);
    } else if (std::ssize(next) < options_.beam_size) {
      next.push_back({candidate.sum, add_node(candidate), candidate.parent, candidate.id});
    }
  }
  open_ = std::move(next);

  if (length_ < limit_) return;
  for (const auto& open : open_) keep(open.sum, open.node, /*at_limit=*/true);
  open_.clear();
}

/// The best 2 * beam_size continuations, best first. Equal ones follow their hypothesis and id.
std::vector<SentenceBeam::Candidate> SentenceBeam::candidates(const int64_t* ids,
                                                              const float* values,
                                                              int64_t k) const {
  std::vector<Candidate> all;
  for (int64_t parent = 0; parent < std::ssize(open_); ++parent) {
    for (int64_t i = parent * k; i < (parent + 1) * k && ids[i] >= 0; ++i) {
      if (never_written(options_, ids[i])) continue;
      all.push_back({open_[parent].sum + values[i], parent, ids[i], values[i]});
    }
  }
  const auto better = [](const Candidate& a, const Candidate& b) {
    return std::tuple(-a.sum, a.parent, a.id) < std::tuple(-b.sum, b.parent, b.id);
  };
  const auto count = std::min<int64_t>(std::ssize(all), 2 * options_.beam_size);
  std::partial_sort(all.begin(), all.begin() + count, all.end(), better);
  all.resize(count);
  return all;
}

int64_t SentenceBeam::add_node(const Candidate& candidate) {
  nodes_.push_back({open_[candidate.parent].node, candidate.id, candidate.log_p});
  return std::ssize(nodes_) - 1;
}

void SentenceBeam::keep(double sum, int64_t node, bool at_limit) {
  const Kept kept{normalized(sum, length_, options_.length_penalty), node, at_limit};
  const auto place = std::ranges::upper_bound(kept_, -kept.score, {},
                                              [](const Kept& other) { return -other.score; });
  kept_.insert(place, kept);
  if (std::ssize(kept_) > options_.n_best) kept_.pop_back();
}

/// log p is at most 0, so a sum only falls, and dividing it by a larger length only raises it: the
/// best score ahead of an open hypothesis is its sum at the limit's length.
bool SentenceBeam::finished() const {
  if (open_.empty()) return true;
  if (std::ssize(kept_) < options_.n_best) return false;
  return normalized(open_.front().sum, limit_, options_.length_penalty) <= kept_.back().score;
}

std::vector<Hypothesis> SentenceBeam::results() const {
  std::vector<Hypothesis> results;
  for (const auto& kept : kept_) {
    Hypothesis result{
        .ids = {}, .token_scores = {}, .score = kept.score, .at_limit = kept.at_limit};
    for (auto node = kept.node; node >= 0; node = nodes_[node].parent) {
      result.ids.push_back(nodes_[node].id);
      result.token_scores.push_back(nodes_[node].log_p);
    }
    std::ranges::reverse(result.ids);
    std::ranges::reverse(result.token_scores);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace heed::decode
