#include "inspect/line_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <spdlog/fmt/fmt.h>

#include "inspect/page.h"

namespace heed::inspect {
namespace {

constexpr double kWidth = 480, kHeight = 220;
constexpr double kLeft = 52, kRight = 10, kTop = 18, kBottom = 24;
constexpr std::size_t kColumns = 400;

struct Bounds {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  bool empty() const { return low > high; }
  /// With some room where all values are one.
  Bounds opened() const {
    if (high > low) return *this;
    const double room = high == 0.0 ? 1.0 : std::abs(high) * 0.1;
    return {low - room, high + room};
  }
};

/// At most kColumns points, means of neighbors; gaps stay out.
std::vector<std::pair<double, double>> thinned(const Curve& curve) {
  std::vector<std::pair<double, double>> finite;
  for (const auto& point : curve.points) {
    if (std::isfinite(point.second)) finite.push_back(point);
  }
  const auto columns = std::min(finite.size(), kColumns);
  std::vector<std::pair<double, double>> out;
  for (std::size_t i = 0; i < columns; ++i) {
    const auto begin = i * finite.size() / columns, end = (i + 1) * finite.size() / columns;
    double x = 0.0, y = 0.0;
    for (auto at = begin; at < end; ++at) {
      x += finite[at].first;
      y += finite[at].second;
    }
    const auto count = static_cast<double>(end - begin);
    out.emplace_back(x / count, y / count);
  }
  return out;
}

struct Scale {
  Bounds x, y;
  double left(double at) const {
    return kLeft + (at - x.low) / (x.high - x.low) * (kWidth - kLeft - kRight);
  }
  double top(double at) const {
    return kHeight - kBottom - (at - y.low) / (y.high - y.low) * (kHeight - kTop - kBottom);
  }
};

std::string axes(const Scale& scale) {
  std::string out;
  for (const double tick : ticks(scale.y.low, scale.y.high)) {
    out += fmt::format(
        "<line class=\"axis\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.4g}</text>\n",
        kLeft, kWidth - kRight, scale.top(tick), kLeft - 5, scale.top(tick) + 4, tick);
  }
  for (const double tick : ticks(scale.x.low, scale.x.high)) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.6g}</text>\n",
                       scale.left(tick), kHeight - 6, tick);
  }
  return out;
}

}  // namespace

std::vector<double> ticks(double low, double high) {
  const double rough = (high - low) / 5.0;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double unit = rough / power;
  const double step = (unit < 1.5 ? 1.0 : unit < 3.5 ? 2.0 : unit < 7.5 ? 5.0 : 10.0) * power;
  std::vector<double> out;
  for (double n = std::ceil(low / step); n * step <= high + step * 1e-9; ++n) {
    out.push_back(n * step);
  }
  return out;
}

std::string line_chart(const std::vector<Curve>& curves) {
  Bounds x, y;
  std::vector<std::vector<std::pair<double, double>>> drawn;
  for (const auto& curve : curves) {
    drawn.push_back(thinned(curve));
    for (const auto& [at, value] : drawn.back()) {
      x.add(at);
      y.add(value);
    }
  }
  if (x.empty()) return {};
  const Scale scale{x.opened(), y.opened()};
  auto out =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n{}", kWidth, kHeight, axes(scale));
  double legend = kLeft;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (drawn[i].empty()) continue;
    std::string path;
    for (const auto& [at, value] : drawn[i]) {
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : "L", scale.left(at),
                          scale.top(value));
    }
    if (drawn[i].size() == 1) path += "h1";
    out += fmt::format("<path class=\"curve s{}\" d=\"{}\"/>\n", i % 3, path);
    out += fmt::format(
        "<line class=\"curve s{0}\" x1=\"{1}\" x2=\"{2}\" y1=\"8\" y2=\"8\"/>"
        "<text x=\"{3}\" y=\"12\">{4}</text>\n",
        i % 3, legend, legend + 14, legend + 18, escaped(curves[i].name));
    legend += 34 + 6.5 * static_cast<double>(curves[i].name.size());
  }
  return out + "</svg>";
}

}  // namespace heed::inspect
