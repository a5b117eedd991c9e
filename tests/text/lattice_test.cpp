#include "text/lattice.h"

#include <cmath>
#include <map>
#include <vector>

#include "base/random.h"
#include "support/catch.h"

namespace text = heed::text;
using Ids = std::vector<int32_t>;

namespace {

/// "abc" with all letters, "ab" and "bc".
void fill(text::Lattice& lattice) {
  lattice.start(3);
  lattice.add(0, 1, 0, std::log(0.5));
  lattice.add(0, 2, 10, std::log(0.2));
  lattice.add(1, 2, 1, std::log(0.5));
  lattice.add(1, 3, 11, std::log(0.1));
  lattice.add(2, 3, 2, std::log(0.5));
}

Ids drawn(text::Lattice& lattice, double alpha, heed::Random& random) {
  fill(lattice);
  Ids ids;
  for (const auto& piece : lattice.sample(alpha, random)) ids.push_back(piece.id);
  return ids;
}

}  // namespace

TEST_CASE("ways are drawn as often as they are probable", "[text][lattice][property]") {
  const double alpha = GENERATE(0.0, 0.5, 1.0, 3.0);
  const std::map<Ids, double> weights = {
      {{0, 1, 2}, 0.125}, {{10, 2}, 0.2 * 0.5}, {{0, 11}, 0.5 * 0.1}};
  double total = 0.0;
  for (const auto& [ids, weight] : weights) total += std::pow(weight, alpha);

  text::Lattice lattice;
  heed::Random random({7});
  std::map<Ids, int> counts;
  const int draws = 20'000;
  for (int i = 0; i < draws; ++i) ++counts[drawn(lattice, alpha, random)];
  CHECK(counts.size() == weights.size());
  for (const auto& [ids, weight] : weights) {
    CHECK(std::abs(double(counts[ids]) / draws - std::pow(weight, alpha) / total) < 0.012);
  }
}

TEST_CASE("a large alpha leaves the most probable way", "[text][lattice][unit]") {
  text::Lattice lattice;
  heed::Random random({1});
  for (int i = 0; i < 20; ++i) CHECK(drawn(lattice, 1000.0, random) == Ids{0, 1, 2});
}

TEST_CASE("an empty word has no pieces", "[text][lattice][unit]") {
  text::Lattice lattice;
  heed::Random random({1});
  lattice.start(0);
  CHECK(lattice.sample(1.0, random).empty());
}

TEST_CASE("the pieces lead from end to end", "[text][lattice][property]") {
  text::Lattice lattice;
  const auto seed = GENERATE(range(uint64_t{0}, uint64_t{10}));
  heed::Random random({seed});
  fill(lattice);
  int32_t place = 0;
  for (const auto& piece : lattice.sample(0.3, random)) {
    CHECK(piece.begin == place);
    place = piece.end;
  }
  CHECK(place == 3);
}
