#include "bench/growth.h"

#include <cmath>

#include "support/catch.h"

TEST_CASE("the exponent of a power law is found, whatever its factor", "[bench][growth][unit]") {
  for (const double exponent : {0.0, 1.0, 1.15, 2.0}) {
    std::vector<heed::bench::SizeCost> points;
    for (const double size : {2048.0, 4096.0, 8192.0}) {
      points.push_back({size, 0.003 * std::pow(size, exponent)});
    }
    CHECK(std::abs(*heed::bench::growth_exponent(points) - exponent) < 1e-9);
  }
}

TEST_CASE("points off the line pull the exponent by least squares", "[bench][growth][unit]") {
  // logarithms (0, 0), (1, 1), (2, 4): slope 2
  const double e = std::exp(1.0);
  const auto found = heed::bench::growth_exponent({{1, 1}, {e, e}, {e * e, std::exp(4.0)}});
  CHECK(std::abs(*found - 2.0) < 1e-9);
}

TEST_CASE("without two sizes that cost something there is no exponent", "[bench][growth][unit]") {
  CHECK_FALSE(heed::bench::growth_exponent({}).has_value());
  CHECK_FALSE(heed::bench::growth_exponent({{2, 5}}).has_value());
  CHECK_FALSE(heed::bench::growth_exponent({{2, 5}, {2, 6}}).has_value());
  CHECK_FALSE(heed::bench::growth_exponent({{2, 5}, {4, 0}}).has_value());
}
