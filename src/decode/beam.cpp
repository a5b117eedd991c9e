#include "decode/beam.h"

#include <algorithm>
#include <numeric>

#include "decode/greedy.h"
#include "decode/sentence_beam.h"
#include "decode/top_k.h"

namespace heed::decode {
namespace {

/// The beams in the batch, side by side. Each takes the same number of rows of the scorer, so a
/// beam that is not full yet repeats its last hypothesis.
class BeamSearch {
 public:
  BeamSearch(Scorer& scorer, const std::vector<int64_t>& limits, const SearchOptions& options)
      : scorer_(scorer), options_(options), inside_(limits.size()) {
    for (const auto limit : limits) beams_.emplace_back(limit, options);
    std::iota(inside_.begin(), inside_.end(), 0);
  }

  std::vector<std::vector<Hypothesis>> run() {
    std::vector<int64_t> last(inside_.size(), options_.begin);
    const auto wanted = 2 * options_.beam_size + std::ssize(options_.never);
    const auto k = std::min<int64_t>(scorer_.vocabulary(), wanted);
    while (!inside_.empty()) {
      const auto top = top_k(scorer_.next(torch::tensor(last, torch::kLong)), k);
      for (int64_t place = 0; place < std::ssize(inside_); ++place) {
        const auto first = place * rows_each_ * k;
        beams_[inside_[place]].advance(&top.ids[first], &top.values[first], k);
      }
      last = rearrange();
    }

    std::vector<std::vector<Hypothesis>> results;
    for (const auto& beam : beams_) results.push_back(beam.results());
    return results;
  }

 private:
  /// Moves the scorer's rows to the open hypotheses of the unfinished sentences -> their last ids.
  std::vector<int64_t> rearrange() {
    std::vector<int64_t> rows, last, places;
    for (int64_t place = 0; place < std::ssize(inside_); ++place) {
      const auto& beam = beams_[inside_[place]];
      if (beam.finished()) continue;
      places.push_back(place);
      for (int64_t i = 0; i < options_.beam_size; ++i) {
        const auto& open = beam.open()[std::min(i, std::ssize(beam.open()) - 1)];
        rows.push_back(place * rows_each_ + open.parent);
        last.push_back(open.last_id);
      }
    }
    if (!places.empty()) select(rows, places);

    std::vector<int64_t> inside;
    for (const auto place : places) inside.push_back(inside_[place]);
    inside_ = std::move(inside);
    rows_each_ = options_.beam_size;
    return last;
  }

  void select(const std::vector<int64_t>& rows, const std::vector<int64_t>& places) {
    const bool all_stay = places.size() == inside_.size();
    const bool same_rows = all_stay && rows_each_ == options_.beam_size && in_order(rows);
    if (same_rows) return;
    scorer_.select(torch::tensor(rows, torch::kLong),
                   all_stay ? torch::Tensor() : torch::tensor(places, torch::kLong));
  }

  static bool in_order(const std::vector<int64_t>& rows) {
    for (int64_t i = 0; i < std::ssize(rows); ++i) {
      if (rows[i] != i) return false;
    }
    return true;
  }

  Scorer& scorer_;
  const SearchOptions& options_;
  std::vector<SentenceBeam> beams_;  // by sentence
  std::vector<int64_t> inside_;      // sentences in the batch, in the order of the scorer's rows
  int64_t rows_each_ = 1;            // rows of the scorer a sentence has
};

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(Scorer& scorer, const std::vector<int64_t>& limits,
                                                 const SearchOptions& options) {
  TORCH_CHECK(0 < options.n_best && options.n_best <= options.beam_size, "n_best ", options.n_best,
              " for beam_size ", options.beam_size);
  TORCH_CHECK(std::ranges::all_of(limits, [](int64_t limit) { return limit > 0; }),
              "a limit must leave room for a token");
  return options.beam_size == 1 ? greedy_search(scorer, limits, options)
                                : BeamSearch(scorer, limits, options).run();
}

}  // namespace heed::decode
