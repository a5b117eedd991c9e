#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heed::data {

/// A 64-bit name of a text, the same in one process: equal texts have equal ones, others all but
/// surely not.
uint64_t name_of(std::string_view text);

/// Places, in order, whose name an earlier place has, too.
std::vector<int64_t> repeats(const std::vector<uint64_t>& names);

/// Places, in order, whose name is among `known`, which is sorted.
std::vector<int64_t> places_known(const std::vector<uint64_t>& names,
                                  const std::vector<uint64_t>& known);

}  // namespace heed::data
