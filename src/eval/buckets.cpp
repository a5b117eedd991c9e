#include "eval/buckets.h"

#include <algorithm>

namespace heed::eval {

std::vector<Bucket> in_buckets(const std::vector<int64_t>& numbers,
                               const std::vector<int64_t>& starts) {
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    buckets.push_back({.from = starts[i]});
    if (i + 1 < starts.size()) buckets.back().to = starts[i + 1] - 1;
  }
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    const auto next = std::ranges::upper_bound(starts, numbers[place]);
    if (next != starts.begin()) buckets[next - starts.begin() - 1].places.push_back(place);
  }
  std::erase_if(buckets, [](const Bucket& bucket) { return bucket.places.empty(); });
  return buckets;
}

}  // namespace heed::eval
