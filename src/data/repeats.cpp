#include "data/repeats.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace heed::data {

uint64_t name_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

std::vector<int64_t> repeats(const std::vector<uint64_t>& names) {
  std::vector<int64_t> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int64_t place) { return names[place]; });
  std::vector<int64_t> places;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (names[order[i]] == names[order[i - 1]]) places.push_back(order[i]);
  }
  std::ranges::sort(places);
  return places;
}

std::vector<int64_t> places_known(const std::vector<uint64_t>& names,
                                  const std::vector<uint64_t>& known) {
  std::vector<int64_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::binary_search(known, names[i])) places.push_back(static_cast<int64_t>(i));
  }
  return places;
}

}  // namespace heed::data
