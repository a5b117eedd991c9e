#include "decode/top_k.h"

#include <cmath>
#include <limits>

#include "support/catch.h"

namespace heed::decode {
namespace {

TEST_CASE("the best entries are those of a full sort, in any shape", "[decode][top_k][property]") {
  const auto seed = GENERATE(range(0, 5));
  const auto width = GENERATE(values<int64_t>({1, 2, 31, 32, 33, 100, 1000}));
  CAPTURE(seed, width);
  torch::manual_seed(seed);
  const auto scores = torch::randn({7, width});
  const auto k = std::min<int64_t>(width, 9);

  const auto top = top_k(scores, k);
  const auto [values, ids] = scores.sort(1, /*descending=*/true);
  for (int64_t row = 0; row < 7; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      REQUIRE(top.ids[row * k + i] == ids[row][i].item<int64_t>());
      REQUIRE(top.values[row * k + i] == values[row][i].item<float>());
    }
  }
}

TEST_CASE("of equal entries the lower id comes first", "[decode][top_k][unit]") {
  const auto scores = torch::zeros({2, 70});
  scores[1][65] = 1.0;
  const auto top = top_k(scores, 3);
  REQUIRE(top.ids == std::vector<int64_t>{0, 1, 2, 65, 0, 1});
}

TEST_CASE("minus infinity and NaN are never among the best", "[decode][top_k][unit]") {
  const float none = -std::numeric_limits<float>::infinity();
  const auto scores = torch::tensor({{none, std::nanf(""), -5.0F, none}});
  const auto top = top_k(scores, 3);
  REQUIRE(top.ids == std::vector<int64_t>{2, -1, -1});
  REQUIRE(top.values[0] == -5.0F);
}

TEST_CASE("rows of a strided tensor are read in place", "[decode][top_k][unit]") {
  const auto scores = torch::tensor({{1.0F, 4.0F}, {3.0F, 2.0F}}).t();  // rows {1, 3} and {4, 2}
  REQUIRE(top_k(scores, 1).ids == std::vector<int64_t>{1, 0});
}

TEST_CASE("the device's best entries are the CPU's", "[decode][top_k][cuda]") {
  if (!at::hasCUDA()) {
    WARN("skipped: no CUDA device");
    return;
  }
  torch::manual_seed(1);
  const auto scores = torch::randint(0, 50, {9, 500}).to(torch::kFloat);
  const auto here = top_k(scores, 600 / 2);
  const auto there = top_k(scores.cuda(), 600 / 2);
  REQUIRE(here.values == there.values);
}

}  // namespace
}  // namespace heed::decode
