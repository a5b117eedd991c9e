#include "eval/ngrams.h"

#include <algorithm>
#include <bit>

namespace heed::eval {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};

using Names = std::vector<uint32_t>;  // of the n-gram that begins at each symbol

/// Names n-grams 0, 1, ...: one is known by the name of its first n-1 symbols and its last symbol.
class NgramNames {
 public:
  explicit NgramNames(std::size_t most)
      : keys_(std::bit_ceil(2 * most + 1)),
        names_(keys_.size()),
        shift_(64 - std::countr_zero(keys_.size())) {}

  void clear() {
    std::ranges::fill(keys_, kFree);
    count_ = 0;
  }

  uint32_t add(uint32_t head, char32_t last) {
    const auto key = key_of(head, last);
    const auto slot = slot_of(key);
    if (keys_[slot] == kFree) {
      keys_[slot] = key;
      names_[slot] = count_++;
    }
    return names_[slot];
  }

  uint32_t find(uint32_t head, char32_t last) const {
    const auto slot = slot_of(key_of(head, last));
    return keys_[slot] == kFree ? kNone : names_[slot];
  }

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};  // no head is kNone

  static uint64_t key_of(uint32_t head, char32_t last) { return uint64_t{head} << 32 | last; }

  /// Where `key` is, or would be.
  std::size_t slot_of(uint64_t key) const {
    const auto mask = keys_.size() - 1;
    auto slot = shift_ < 64 ? (key * 0x9E3779B97F4A7C15) >> shift_ : 0;
    while (keys_[slot] != key && keys_[slot] != kFree) slot = (slot + 1) & mask;
    return slot;
  }

  std::vector<uint64_t> keys_;
  Names names_;
  int shift_;  // leaves the top bits of a product, as many as name a slot
  uint32_t count_ = 0;
};

/// The names of a reference's n-grams in place of those of its (n-1)-grams, and each one's count in
/// `most`, where it is higher there.
void name_reference(const std::u32string& reference, std::size_t n, NgramNames& names, Names& heads,
                    std::vector<int64_t>& most) {
  std::vector<int64_t> counts(most.size());
  for (int64_t i = 0; i < ngrams(reference.size(), n); ++i) {
    heads[i] = names.add(heads[i], reference[i + n - 1]);
    ++counts[heads[i]];
  }
  for (std::size_t name = 0; name < most.size(); ++name) {
    most[name] = std::max(most[name], counts[name]);
  }
}

/// The same for the hypothesis, which takes what it finds out of `left`. -> how many it found
int64_t take_shared(std::u32string_view hypothesis, std::size_t n, const NgramNames& names,
                    Names& heads, std::vector<int64_t>& left) {
  int64_t shared = 0;
  for (int64_t i = 0; i < ngrams(hypothesis.size(), n); ++i) {
    if (heads[i] == kNone) continue;  // what begins like nothing known is not known
    heads[i] = names.find(heads[i], hypothesis[i + n - 1]);
    if (heads[i] == kNone || left[heads[i]] == 0) continue;
    --left[heads[i]];
    ++shared;
  }
  return shared;
}

}  // namespace

std::vector<int64_t> shared_ngrams(std::u32string_view hypothesis,
                                   std::span<const std::u32string> references, std::size_t orders) {
  std::size_t symbols = 0;
  std::vector<Names> heads;
  for (const auto& reference : references) {
    symbols += reference.size();
    heads.emplace_back(reference.size(), 0);
  }
  Names own(hypothesis.size(), 0);
  NgramNames names(symbols);

  std::vector<int64_t> shared(orders);
  for (std::size_t n = 1; n <= orders; ++n) {
    names.clear();
    std::vector<int64_t> most(symbols);
    for (std::size_t r = 0; r < references.size(); ++r) {
      name_reference(references[r], n, names, heads[r], most);
    }
    shared[n - 1] = take_shared(hypothesis, n, names, own, most);
  }
  return shared;
}

}  // namespace heed::eval
