#pragma once

#include <optional>
#include <vector>

namespace heed::bench {

/// One measurement: what a size costs.
struct SizeCost {
  double size = 0.0;
  double cost = 0.0;
};

/// b of the power law cost = a * size^b that fits best: the slope of least squares through the
/// logarithms. Points whose cost is not positive are left out; nothing where fewer than two sizes
/// are left.
std::optional<double> growth_exponent(const std::vector<SizeCost>& points);

}  // namespace heed::bench
