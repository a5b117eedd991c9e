#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heed::text {

/// Numbers to values in one block of memory, for tables that are built once and then read often.
template <typename Value>
class FlatMap {
 public:
  static constexpr uint64_t kNoKey = ~uint64_t{0};  // the one number that can't be a key

  const Value* find(uint64_t key) const {
    if (slots_.empty()) return nullptr;
    const auto& slot = slots_[place(key)];
    return slot.key == key ? &slot.value : nullptr;
  }

  /// The value of `key`: `value`, or what it had before.
  Value& insert(uint64_t key, const Value& value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    auto& slot = slots_[place(key)];
    if (slot.key == kNoKey) {
      slot = {key, value};
      ++size_;
    }
    return slot.value;
  }

  std::size_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t key = kNoKey;
    Value value{};
  };

  /// Where the key is, or would be.
  std::size_t place(uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (key * 0x9E3779B97F4A7C15 >> 32) & mask;
    while (slots_[at].key != key && slots_[at].key != kNoKey) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    const auto old =
        std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 16 : 2 * slots_.size()));
    for (const auto& slot : old) {
      if (slot.key != kNoKey) slots_[place(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two, at most half of them in use
  std::size_t size_ = 0;
};

}  // namespace heed::text
