#include "decode/greedy.h"

#include <algorithm>
#include <numeric>

#include "decode/score.h"
#include "decode/top_k.h"

namespace heed::decode {
namespace {

constexpr int64_t kClosed = -1;
constexpr int64_t kShare = 8;  // rows leave when one in so many is closed: leaving copies caches

struct Choice {
  int64_t id = -1;
  double log_p = 0.0;
};

/// The best entry of a row that may be written.
Choice choose(const TopK& top, int64_t row, const SearchOptions& options) {
  for (int64_t i = row * top.k; i < (row + 1) * top.k; ++i) {
    if (top.ids[i] < 0) break;
    if (!never_written(options, top.ids[i])) return {top.ids[i], top.values[i]};
  }
  throw_not_finite();
}

class GreedySearch {
 public:
  GreedySearch(Scorer& scorer, const std::vector<int64_t>& limits, const SearchOptions& options)
      : scorer_(scorer),
        limits_(limits),
        options_(options),
        results_(limits.size()),
        sentences_(limits.size()),
        last_(limits.size(), options.begin) {
    std::iota(sentences_.begin(), sentences_.end(), 0);
  }

  std::vector<std::vector<Hypothesis>> run() {
    const auto k = std::min<int64_t>(scorer_.vocabulary(), 1 + std::ssize(options_.never));
    while (!sentences_.empty()) {
      const auto top = top_k(scorer_.next(torch::tensor(last_, torch::kLong)), k);
      for (int64_t row = 0; row < std::ssize(sentences_); ++row) {
        if (sentences_[row] != kClosed) extend(row, choose(top, row, options_));
      }
      leave();
    }
    return finish();
  }

 private:
  void extend(int64_t row, const Choice& choice) {
    auto& result = results_[sentences_[row]];
    result.ids.push_back(choice.id);
    result.token_scores.push_back(choice.log_p);
    last_[row] = choice.id;

    const bool ended = choice.id == options_.end;
    const bool full = std::ssize(result.ids) == limits_[sentences_[row]];
    if (!ended && !full) return;
    result.at_limit = !ended;
    sentences_[row] = kClosed;
  }

  /// Closed rows leave the batch, once they are worth a copy of the caches.
  void leave() {
    const auto closed = std::ranges::count(sentences_, kClosed);
    if (closed == std::ssize(sentences_)) {
      sentences_.clear();
      return;
    }
    if (closed * kShare < std::ssize(sentences_)) return;

    std::vector<int64_t> rows;
    for (int64_t row = 0; row < std::ssize(sentences_); ++row) {
      if (sentences_[row] == kClosed) continue;
      last_[rows.size()] = last_[row];
      rows.push_back(row);
    }
    std::erase(sentences_, kClosed);
    last_.resize(rows.size());
    const auto kept = torch::tensor(rows, torch::kLong);
    scorer_.select(kept, kept);
  }

  std::vector<std::vector<Hypothesis>> finish() {
    std::vector<std::vector<Hypothesis>> lists;
    for (auto& result : results_) {
      const double sum =
          std::accumulate(result.token_scores.begin(), result.token_scores.end(), 0.0);
      result.score = normalized(sum, std::ssize(result.ids), options_.length_penalty);
      lists.emplace_back().push_back(std::move(result));
    }
    return lists;
  }

  Scorer& scorer_;
  const std::vector<int64_t>& limits_;
  const SearchOptions& options_;
  std::vector<Hypothesis> results_;  // by sentence
  std::vector<int64_t> sentences_;   // by row; kClosed: finished, but still in the batch
  std::vector<int64_t> last_;        // by row, the last token
};

}  // namespace

std::vector<std::vector<Hypothesis>> greedy_search(Scorer& scorer,
                                                   const std::vector<int64_t>& limits,
                                                   const SearchOptions& options) {
  return GreedySearch(scorer, limits, options).run();
}

}  // namespace heed::decode
