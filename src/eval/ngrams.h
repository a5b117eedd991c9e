#pragma once

#include <cstdint>
#include <string_view>

namespace heed::eval {

/// How many n-grams each side holds, and how many they share (each as often as both have it).
struct NgramOverlap {
  int64_t hypothesis = 0;
  int64_t reference = 0;
  int64_t shared = 0;
};

/// n-grams of symbols: code points, or numbers that stand for words.
NgramOverlap ngram_overlap(std::u32string_view hypothesis, std::u32string_view reference,
                           std::size_t n);

}  // namespace heed::eval
