#pragma once

#include <vector>

namespace heed::bench {

/// The middle value, or the mean of the two in the middle; 0 of none.
double median(std::vector<double> values);

}  // namespace heed::bench
