#include "nn/attention/kept_rows.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

using Precision = CacheOptions::Precision;

TEST_CASE("a row of int8 is off by half a step of its own scale at most",
          "[nn][kept_rows][property]") {
  const auto seed = GENERATE(range(0, 10));
  torch::manual_seed(seed);
  auto x = torch::randn({2, 3, 5, 8});
  x.select(2, 1).mul_(1000.0);  // an outlier moves its own row only
  x.select(2, 2).zero_();
  KeptRows rows(5, Precision::kInt8);
  rows.write(0, x);
  const auto step = x.abs().amax(-1, /*keepdim=*/true) / 127.0;
  const auto off = (rows.read(5) - x).abs();
  REQUIRE((off <= step * 0.501).all().item<bool>());
  REQUIRE(rows.read(5).select(2, 2).abs().max().item<double>() == 0.0);
}

TEST_CASE("bf16 rows are the rounded ones, in the type they came in", "[nn][kept_rows][unit]") {
  const auto type = GENERATE(torch::kFloat, torch::kDouble);
  torch::manual_seed(1);
  const auto x = torch::randn({1, 2, 3, 4}).to(type);
  KeptRows rows(3, Precision::kBf16);
  rows.write(0, x.narrow(2, 0, 2));
  rows.write(2, x.narrow(2, 2, 1));
  REQUIRE(rows.read(3).scalar_type() == type);
  REQUIRE(torch::equal(rows.read(3), x.to(torch::kBFloat16).to(type)));
}

TEST_CASE("what is kept as it came is a view, and holding copies nothing",
          "[nn][kept_rows][unit]") {
  const auto x = torch::randn({1, 2, 3, 4});
  KeptRows rows(3, Precision::kSame);
  rows.hold(x);
  REQUIRE(rows.read(2).data_ptr() == x.data_ptr());
  KeptRows rounded(3, Precision::kInt8);
  rounded.hold(x);
  REQUIRE(test::max_diff(rounded.read(3), x) < 0.03);
}

TEST_CASE("selected rows keep their scales, and get another room", "[nn][kept_rows][unit]") {
  torch::manual_seed(2);
  const auto x = torch::randn({3, 1, 2, 4}) * torch::tensor({1.0, 10.0, 100.0}).view({3, 1, 1, 1});
  KeptRows rows(2, Precision::kInt8);
  rows.write(0, x);
  const auto before = rows.read(2);
  const auto index = torch::tensor({2, 0, 2}, torch::kLong);
  rows.select(index, 2, 4);
  REQUIRE(torch::equal(rows.read(2), before.index_select(0, index)));
  rows.write(2, x);
  REQUIRE(torch::equal(rows.read(4).narrow(2, 2, 2), before));
}

}  // namespace
}  // namespace heed::nn
