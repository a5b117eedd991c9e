#include "nn/attention/random_keys.h"

#include <algorithm>

#include "base/random.h"

namespace heed::nn {
namespace {

constexpr uint64_t kPatternSeed = 0x62696762697264;

/// The places 0..len-1 without some, which are in order.
class Others {
 public:
  explicit Others(const std::vector<int64_t>& without) {
    for (std::size_t i = 0; i < without.size(); ++i) {
      before_.push_back(without[i] - static_cast<int64_t>(i));
    }
    without_ = &without;
  }

  /// How many of them lie before this place.
  int64_t count(int64_t place) const {
    return place - (std::ranges::lower_bound(*without_, place) - without_->begin());
  }

  /// The one with this number, counted from 0.
  int64_t at(int64_t number) const {
    return number + (std::ranges::upper_bound(before_, number) - before_.begin());
  }

 private:
  const std::vector<int64_t>* without_;
  std::vector<int64_t> before_;  // others before each place left out
};

/// `most` different numbers below `count`, or all of them (Floyd; Bentley, 1987).
std::vector<int64_t> draw(Random& random, int64_t count, int64_t most) {
  std::vector<int64_t> drawn;
  std::vector<int64_t> sorted;
  for (int64_t last = std::max<int64_t>(count - most, 0); last < count; ++last) {
    const auto number = static_cast<int64_t>(random.uniform() * static_cast<double>(last + 1));
    const bool taken = std::ranges::binary_search(sorted, number);
    drawn.push_back(taken ? last : number);
    sorted.insert(std::ranges::upper_bound(sorted, drawn.back()), drawn.back());
  }
  return drawn;
}

}  // namespace

RandomKeys::RandomKeys(const Pattern& pattern, const Visible& visible, int64_t heads,
                       int64_t key_len, torch::Device device)
    : pattern_(pattern), causal_(visible.causal), heads_(heads), device_(device) {
  auto here = visible;
  if (here.global.defined()) here.global = here.global.cpu();
  const auto marks = global_keys(pattern, here, key_len, torch::kCPU);
  const auto lengths =
      visible.lengths.defined() && !causal_ ? visible.lengths.cpu() : torch::Tensor();
  const int64_t rows = std::max(lengths.defined() ? lengths.size(0) : 1,
                                marks.defined() ? marks.size(0) : int64_t{1});
  for (int64_t row = 0; row < rows; ++row) {
    Row& own = rows_.emplace_back();
    own.len = lengths.defined() ? std::min(lengths[row].item<int64_t>(), key_len) : key_len;
    if (!marks.defined()) continue;
    const auto of_row = marks[marks.size(0) == 1 ? 0 : row].nonzero().flatten();
    const auto* first = of_row.const_data_ptr<int64_t>();
    own.globals.assign(first, first + of_row.numel());
  }
}

torch::Tensor RandomKeys::of_block(int64_t block) const {
  const int64_t begin = block * pattern_.block;
  auto keys = torch::full({std::ssize(rows_), heads_, pattern_.random}, -1, torch::kLong);
  auto at = keys.accessor<int64_t, 3>();
  for (int64_t row = 0; row < std::ssize(rows_); ++row) {
    const auto& [len, globals] = rows_[row];
    const Others others(globals);
    const auto end = causal_ ? begin : len;  // of the keys to choose from
    const auto before = others.count(std::clamp<int64_t>(begin - pattern_.window, 0, end));
    const auto skipped =
        others.count(std::min(begin + pattern_.block + pattern_.window, end)) - before;
    const auto count = others.count(end) - std::max<int64_t>(skipped, 0);
    for (int64_t head = 0; head < heads_; ++head) {
      Random random({kPatternSeed, static_cast<uint64_t>(head), static_cast<uint64_t>(block)});
      int64_t i = 0;
      for (const auto number : draw(random, count, pattern_.random)) {
        at[row][head][i++] = others.at(number < before ? number : number + skipped);
      }
    }
  }
  return keys.to(device_);
}

}  // namespace heed::nn
