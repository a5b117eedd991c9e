#include "bench/growth.h"

#include <cmath>

namespace heed::bench {

std::optional<double> growth_exponent(const std::vector<SizeCost>& points) {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (const auto& [size, cost] : points) {
    if (!(cost > 0.0)) continue;
    const double log_size = std::log(size);
    const double log_cost = std::log(cost);
    n += 1.0;
    x += log_size;
    y += log_cost;
    xx += log_size * log_size;
    xy += log_size * log_cost;
  }
  const double spread = n * xx - x * x;
  if (n < 2.0 || spread <= 1e-12 * n * xx) return std::nullopt;
  return (n * xy - x * y) / spread;
}

}  // namespace heed::bench
