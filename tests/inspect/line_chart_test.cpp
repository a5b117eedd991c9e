#include "inspect/line_chart.h"

#include <algorithm>
#include <cmath>

#include "support/catch.h"

namespace heed::inspect {
namespace {

TEST_CASE("ticks are round and inside", "[inspect][line_chart][unit]") {
  REQUIRE(ticks(0.0, 10.0) == std::vector<double>{0, 2, 4, 6, 8, 10});
  REQUIRE(ticks(130.0, 980.0) == std::vector<double>{200, 400, 600, 800});
  for (const auto& [low, high] : {std::pair(0.0012, 0.0031), {-3.0, 5.0}, {1e6, 3e6}}) {
    const auto found = ticks(low, high);
    REQUIRE(found.size() >= 3);
    REQUIRE(found.size() <= 11);
    REQUIRE(found.front() >= low - 1e-12);
    REQUIRE(found.back() <= high * (1.0 + 1e-9) + 1e-12);
  }
}

TEST_CASE("a chart draws each curve once, gaps left out", "[inspect][line_chart][unit]") {
  Curve line{"train <a>", {}};
  for (int i = 0; i < 5000; ++i) {
    line.points.emplace_back(i, i % 7 == 0 ? std::nan("") : std::sin(i * 0.01));
  }
  const auto svg = line_chart({line, {"valid", {{2500.0, 0.5}}}, {"empty", {}}});
  REQUIRE_THAT(svg, test::ContainsSubstring("train &lt;a&gt;"));
  REQUIRE(svg.find("nan") == std::string::npos);
  REQUIRE(svg.find("empty") == std::string::npos);
  const std::string curve = "<path class=\"curve";
  std::size_t paths = 0;
  for (auto at = svg.find(curve); at != svg.npos; at = svg.find(curve, at + 1)) ++paths;
  REQUIRE(paths == 2);
  REQUIRE(std::ranges::count(svg, 'L') < 410);  // thinned
}

TEST_CASE("a flat curve has room, and no point gives no chart", "[inspect][line_chart][unit]") {
  const auto flat = line_chart({{"a", {{1.0, 2.0}, {2.0, 2.0}}}});
  REQUIRE(flat.find("nan") == std::string::npos);
  REQUIRE(flat.find("inf") == std::string::npos);
  REQUIRE(line_chart({{"a", {}}}).empty());
  REQUIRE(line_chart({{"a", {{1.0, std::nan("")}}}}).empty());
}

}  // namespace
}  // namespace heed::inspect
