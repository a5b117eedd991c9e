#include "eval/edit_distance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::eval {
namespace {

constexpr int64_t kBeam = 25;          // words on each side of the diagonal
constexpr int32_t kOutside = 1 << 29;  // the cost of what the beam leaves out

}  // namespace

EditDistance::EditDistance(std::size_t length, std::u32string_view reference)
    : reference_(reference) {
  const auto words = std::ssize(reference);
  const auto rows = static_cast<int64_t>(length);
  const double slope = length == 0 ? 1.0 : static_cast<double>(words) / static_cast<double>(rows);
  const auto beam =  // wide enough for neighboring rows to meet
      kBeam < slope / 2 ? static_cast<int64_t>(std::ceil(slope / 2 + kBeam)) : kBeam;

  rows_.push_back({.begin = 0, .end = words + 1, .at = 0});
  for (int64_t i = 1; i <= rows; ++i) {
    const auto diagonal = static_cast<int64_t>(std::floor(static_cast<double>(i) * slope));
    const auto end = i == rows ? words + 1 : std::min(words + 1, diagonal + beam);
    const auto& before = rows_.back();
    rows_.push_back({.begin = std::max<int64_t>(0, diagonal - beam),
                     .end = end,
                     .at = before.at + before.end - before.begin});
  }
  kept_.resize(rows_.back().at + rows_.back().end - rows_.back().begin);
  other_.resize(kept_.size());
  std::iota(kept_.begin(), kept_.begin() + words + 1, 0);
}

EditDistance::Cost EditDistance::cell(const std::vector<Cost>& table, int64_t i, int64_t j) const {
  const auto& row = rows_[i];
  return j >= row.begin && j < row.end ? table[row.at + j - row.begin] : kOutside;
}

void EditDistance::fill_row(std::u32string_view hypothesis, int64_t i,
                            const std::vector<Cost>& above, std::vector<Cost>& table) const {
  const auto& row = rows_[i];
  auto* out = table.data() + row.at;
  Cost left = kOutside;
  Cost corner = cell(above, i - 1, row.begin - 1);
  for (auto j = row.begin; j < row.end; ++j) {
    const auto up = cell(above, i - 1, j);
    auto best = up + 1;
    if (j > 0) {
      const Cost replaced = hypothesis[i - 1] == reference_[j - 1] ? 0 : 1;
      best = std::min({corner + replaced, best, left + 1});
    }
    *out++ = left = std::min(best, kOutside);
    corner = up;
  }
}

int64_t EditDistance::keep(std::u32string_view hypothesis) {
  kept_words_ = hypothesis;
  for (int64_t i = 1; i < std::ssize(rows_); ++i) fill_row(hypothesis, i, kept_, kept_);
  return kept_.back();
}

int64_t EditDistance::of(std::u32string_view hypothesis, std::size_t same) {
  const auto first = static_cast<int64_t>(same) + 1;
  for (auto i = first; i < std::ssize(rows_); ++i) {
    fill_row(hypothesis, i, i == first ? kept_ : other_, other_);
  }
  return first < std::ssize(rows_) ? other_.back() : kept_.back();
}

EditDistance::Alignment EditDistance::alignment() const {
  auto i = std::ssize(rows_) - 1;
  auto j = std::ssize(reference_);
  Alignment out{.of_reference = std::vector<int64_t>(j, -1),
                .reference_wrong = std::vector<bool>(j),
                .hypothesis_wrong = std::vector<bool>(i)};
  while (i > 0 || j > 0) {  // of equally cheap ways the first: replace, delete, insert
    const auto cost = cell(kept_, i, j);
    const bool same = i > 0 && j > 0 && kept_words_[i - 1] == reference_[j - 1];
    if (i > 0 && j > 0 && cost == cell(kept_, i - 1, j - 1) + (same ? 0 : 1)) {
      out.of_reference[--j] = --i;
      out.reference_wrong[j] = out.hypothesis_wrong[i] = !same;
    } else if (i > 0 && cost == cell(kept_, i - 1, j) + 1) {
      out.hypothesis_wrong[--i] = true;
    } else {
      out.of_reference[--j] = i - 1;
      out.reference_wrong[j] = true;
    }
  }
  return out;
}

}  // namespace heed::eval
