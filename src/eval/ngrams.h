#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::eval {

/// How many n-grams `symbols` symbols hold.
constexpr int64_t ngrams(std::size_t symbols, std::size_t n) {
  return symbols < n ? 0 : static_cast<int64_t>(symbols - n + 1);
}

/// Of each order, 1 to `orders`: how many n-grams of the hypothesis its references hold too, each
/// as often as the one reference that has most of it. Symbols are code points, or numbers that
/// stand for words.
std::vector<int64_t> shared_ngrams(std::u32string_view hypothesis,
                                   std::span<const std::u32string> references, std::size_t orders);

}  // namespace heed::eval
