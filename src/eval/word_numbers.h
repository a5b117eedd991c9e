#pragma once

#include <string>
#include <unordered_map>

namespace heed::eval {

/// Words as numbers, equal words alike: a text is then a string of them, and an n-gram of words a
/// part of it.
class WordNumbers {
 public:
  template <typename Words>
  std::u32string of(const Words& words) {
    std::u32string numbers;
    for (const auto& word : words) {
      const auto next = static_cast<char32_t>(numbers_.size());
      numbers += numbers_.try_emplace(std::u32string(word), next).first->second;
    }
    return numbers;
  }

 private:
  std::unordered_map<std::u32string, char32_t> numbers_;
};

}  // namespace heed::eval
