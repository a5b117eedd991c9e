#include "base/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "support/catch.h"

namespace heed {
namespace {

TEST_CASE("the numbers are those of SplitMix64", "[base][random][golden]") {
  // Published first outputs for the state 1234567; mix of one number is the first one.
  REQUIRE(mix({1234567}) == 6457827717110365317u);
  REQUIRE(mix({1234567 + 0x9E3779B97F4A7C15}) == 3203168211198807973u);
  // A stream whose state after the key is 6457827717110365317.
  Random random({1234567});
  REQUIRE(random.next() == mix({6457827717110365317u}));
  REQUIRE(random.next() == mix({6457827717110365317u + 0x9E3779B97F4A7C15}));
}

TEST_CASE("a hash depends on every number, their order and their count",
          "[base][random][property]") {
  std::set<uint64_t> hashes;
  for (uint64_t a = 0; a < 30; ++a) {
    hashes.insert(mix({a}));
    for (uint64_t b = 0; b < 30; ++b) {
      hashes.insert(mix({a, b}));
      hashes.insert(mix({a, b, 0}));
    }
  }
  REQUIRE(hashes.size() == 30 + 900 + 900);
}

TEST_CASE("the same key gives the same stream and another key another",
          "[base][random][property]") {
  const auto seed = static_cast<uint64_t>(GENERATE(range(0, 10)));
  Random first({seed, 3}), again({seed, 3}), other({seed, 4});
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    const auto number = first.next();
    REQUIRE(number == again.next());
    equal += number == other.next();
  }
  REQUIRE(equal == 0);
}

TEST_CASE("numbers below a bound are uniform", "[base][random][property]") {
  const auto bound = GENERATE(values<uint64_t>({1, 2, 3, 7, 10}));
  CAPTURE(bound);
  Random random({bound});
  std::vector<int> counts(bound);
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) ++counts.at(random.below(bound));
  const double expected = draws / static_cast<double>(bound);
  for (const int count : counts) {
    REQUIRE(std::abs(count - expected) <= 5.0 * std::sqrt(expected));
  }
}

TEST_CASE("a bound above half of all numbers is kept and its halves are even",
          "[base][random][property]") {
  const uint64_t bound = 3ull << 62;  // a plain remainder would draw the low third twice as often
  Random random({1});
  int low = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto drawn = random.below(bound);
    REQUIRE(drawn < bound);
    low += drawn < (1ull << 62);
  }
  REQUIRE(std::abs(low - 1000) < 130);
}

TEST_CASE("uniform numbers lie in [0, 1) with mean a half and variance a twelfth",
          "[base][random][property]") {
  Random random({5});
  double sum = 0.0, squares = 0.0;
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    const double drawn = random.uniform();
    REQUIRE((drawn >= 0.0 && drawn < 1.0));
    sum += drawn;
    squares += drawn * drawn;
  }
  const double mean = sum / draws;
  REQUIRE(std::abs(mean - 0.5) < 0.01);
  REQUIRE(std::abs(squares / draws - mean * mean - 1.0 / 12) < 0.003);
}

TEST_CASE("a shuffle keeps the items, repeats with its key, and every order is as likely",
          "[base][random][property]") {
  std::map<std::vector<int>, int> orders;
  const int shuffles = 12000;
  for (uint64_t i = 0; i < shuffles; ++i) {
    std::vector<int> items{0, 1, 2, 3};
    Random({7, i}).shuffle(items);
    ++orders[items];
  }
  REQUIRE(orders.size() == 24);
  for (const auto& [order, count] : orders) REQUIRE(std::abs(count - 500) < 115);

  std::vector<int> once(100), again(100), none;
  std::iota(once.begin(), once.end(), 0);
  again = once;
  Random({1}).shuffle(once);
  Random({1}).shuffle(again);
  Random({1}).shuffle(none);
  REQUIRE(once == again);
  REQUIRE_FALSE(std::ranges::is_sorted(once));
  std::ranges::sort(once);
  REQUIRE(once.back() == 99);
  REQUIRE(none.empty());
}

}  // namespace
}  // namespace heed
