#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heed::eval {

/// Lines whose number (of tokens, of unknown tokens) lies in one stretch.
struct Bucket {
  int64_t from = 0;
  std::optional<int64_t> to{};  // included; none: without an end
  std::vector<std::size_t> places{};
};

/// One bucket from each of `starts`, which rise, up to the next; those that hold no line are left
/// out. Numbers below the first start are in none.
std::vector<Bucket> in_buckets(const std::vector<int64_t>& numbers,
                               const std::vector<int64_t>& starts);

}  // namespace heed::eval
