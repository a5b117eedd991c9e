#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heed::inspect {

/// One curve: points in the order of x; those that are not finite are gaps.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

/// Round steps for an axis from `low` to `high`: 1, 2 or 5 times a power of ten, five or so.
std::vector<double> ticks(double low, double high);

/// A chart of up to three curves as SVG with axes and a legend. Where a curve has more points than
/// pixels, each of the chart's columns shows the mean of its points. Empty without any point.
std::string line_chart(const std::vector<Curve>& curves);

}  // namespace heed::inspect
