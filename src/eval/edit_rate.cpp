#include "eval/edit_rate.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "eval/edit_distance.h"

namespace heed::eval {
namespace {

// Tercom's limits, and sacreBLEU's on what is tried.
constexpr int64_t kLongestShift = 10;      // words
constexpr int64_t kFarthestShift = 50;     // words
constexpr int64_t kMostCandidates = 1000;  // of one pair of texts

/// Words [from, from + length) to be put before the word that is at `to`.
struct Shift {
  int64_t from = 0;
  int64_t length = 0;
  int64_t to = 0;

  int64_t first_changed() const { return std::min(from, to); }
};

/// Where `to` lies inside of what is shifted or just behind it, sacreBLEU counts it without those
/// words, and so moves them past as many words as they would have to go.
std::u32string shifted(const std::u32string& words, const Shift& shift) {
  auto out = words;
  const auto from = out.begin() + shift.from;
  const auto end = from + shift.length;
  if (shift.to < shift.from) {
    std::rotate(out.begin() + shift.to, from, end);
  } else if (shift.to > shift.from + shift.length) {
    std::rotate(from, end, out.begin() + shift.to);
  } else {
    std::rotate(from, end, out.begin() + std::min<int64_t>(shift.length + shift.to, out.size()));
  }
  return out;
}

/// One search for the best shift, and what all searches for one pair of texts share.
class ShiftSearch {
 public:
  ShiftSearch(std::u32string words, std::u32string_view reference)
      : words_(std::move(words)), reference_(reference), distance_(words_.size(), reference) {}

  /// Applies the shift that saves most. -> whether there was one
  bool apply_best() {
    before_ = distance_.keep(words_);
    alignment_ = distance_.alignment();
    best_ = {};
    try_all();
    if (candidates_ >= kMostCandidates || !best_.found || best_.saved <= 0) return false;
    words_ = best_.words;
    return true;
  }

  int64_t distance() { return distance_.keep(words_); }

 private:
  /// Of two the better one saves more, else is longer, begins earlier, and goes less far.
  struct Best {
    bool found = false;
    int64_t saved = 0;
    Shift shift{};
    std::u32string words{};

    auto rank() const { return std::tuple(saved, shift.length, -shift.from, -shift.to); }
  };

  /// Every run of words that both texts hold, of each length.
  void try_all() {
    for (int64_t from = 0; from < std::ssize(words_); ++from) {
      const auto first = std::max<int64_t>(0, from - kFarthestShift);
      const auto last = std::min<int64_t>(std::ssize(reference_) - 1, from + kFarthestShift);
      for (auto at = first; at <= last; ++at) {
        if (!try_runs(from, at)) return;
      }
    }
  }

  /// -> whether more may be tried
  bool try_runs(int64_t from, int64_t at) {
    const auto most =
        std::min({kLongestShift, std::ssize(words_) - from, std::ssize(reference_) - at});
    for (int64_t length = 1; length <= most; ++length) {
      if (words_[from + length - 1] != reference_[at + length - 1]) break;
      if (!useful(from, at, length)) continue;
      try_targets(from, at, length);
      if (candidates_ >= kMostCandidates) return false;
    }
    return true;
  }

  /// Not for words that are right where they are, on either side, nor within themselves.
  bool useful(int64_t from, int64_t at, int64_t length) const {
    const auto any = [length](const std::vector<bool>& wrong, int64_t begin) {
      return std::find(wrong.begin() + begin, wrong.begin() + begin + length, true) !=
             wrong.begin() + begin + length;
    };
    const auto aligned = alignment_.of_reference[at];
    return any(alignment_.hypothesis_wrong, from) && any(alignment_.reference_wrong, at) &&
           (aligned < from || aligned >= from + length);
  }

  /// Behind what is aligned with the word before the run in the reference, and with each of the
  /// run's words.
  void try_targets(int64_t from, int64_t at, int64_t length) {
    int64_t before = -1;
    for (int64_t offset = -1; offset < length; ++offset) {
      const auto place = at + offset;
      const auto to = place < 0 ? 0 : alignment_.of_reference[place] + 1;
      if (to == before) continue;
      before = to;
      try_shift({.from = from, .length = length, .to = to});
    }
  }

  void try_shift(const Shift& shift) {
    ++candidates_;
    Best candidate{.found = true, .shift = shift, .words = shifted(words_, shift)};
    candidate.saved = before_ - distance_.of(candidate.words, shift.first_changed());
    if (!best_.found || candidate.rank() > best_.rank()) best_ = std::move(candidate);
  }

  std::u32string words_;
  std::u32string_view reference_;
  EditDistance distance_;
  EditDistance::Alignment alignment_{};
  int64_t before_ = 0;
  int64_t candidates_ = 0;
  Best best_{};
};

}  // namespace

int64_t edits(std::u32string_view hypothesis, std::u32string_view reference) {
  if (reference.empty()) return std::ssize(hypothesis);
  ShiftSearch search(std::u32string(hypothesis), reference);
  int64_t shifts = 0;
  while (search.apply_best()) ++shifts;
  return shifts + search.distance();
}

}  // namespace heed::eval
