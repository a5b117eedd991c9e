#include "nn/attention/rotary.h"

#include "nn/family_golden.h"

namespace heed::nn {
namespace {

TEST_CASE("rotary positions equal LLaMA's, interpolated and NTK-scaled ones too",
          "[nn][rotary][golden]") {
  const auto golden = test::family_golden().at("rotary");
  const auto x = test::golden_tensor(golden.at("x"));  // [B, H, T, Dk]
  for (const auto& one : golden.at("cases")) {
    const auto scaling = one.at("scaling").get<std::string>();
    const auto factor = one.at("factor").get<double>();
    const auto first = one.at("first").get<int64_t>();
    CAPTURE(scaling, factor, first);
    AngleOptions options{.width = x.size(-1), .base = one.at("base").get<double>()};
    if (scaling == "linear") options.stretch = factor;
    if (scaling == "ntk") options.base = ntk_base(options.base, factor, options.width);
    const Rotary rotary(options);
    const auto turned = test::golden_tensor(one.at("turned"));
    REQUIRE(test::max_diff(rotary->forward(x, first), turned) < (first > 100 ? 2e-4 : 2e-6));
  }
}

TEST_CASE("a dot product of turned queries and keys sees their distance only",
          "[nn][rotary][property]") {
  const auto seed = GENERATE(range(0, 5));
  CAPTURE(seed);
  torch::manual_seed(seed);
  const Rotary rotary(AngleOptions{.width = 8});
  const auto query = torch::randn({1, 2, 1, 8});
  const auto key = torch::randn({1, 2, 1, 8});
  const auto score = [&](int64_t query_at, int64_t key_at) {
    return (rotary->forward(query, query_at) * rotary->forward(key, key_at)).sum(-1);
  };
  REQUIRE(test::max_diff(score(3, 1), score(40, 38)) < 1e-5);
  REQUIRE(test::max_diff(score(3, 1), score(600, 598)) < 1e-4);  // past the table
  REQUIRE(test::max_diff(score(3, 1), score(3, 2)) > 1e-3);
}

TEST_CASE("turning keeps lengths, and position 0 as it is", "[nn][rotary][property]") {
  torch::manual_seed(1);
  const Rotary rotary(AngleOptions{.width = 6});
  const auto x = torch::randn({2, 3, 4, 6});
  REQUIRE(test::max_diff(rotary->forward(x, 9).norm(2, -1), x.norm(2, -1)) < 1e-5);
  REQUIRE(torch::equal(rotary->forward(x, 0).select(2, 0), x.select(2, 0)));
}

TEST_CASE("positions over the end of the table go on evenly", "[nn][rotary][unit]") {
  const Rotary rotary(AngleOptions{.width = 6});
  const auto x = torch::randn({1, 1, 40, 6});
  const auto whole = rotary->forward(x, 490);
  for (const int64_t t : {0, 21, 22, 39}) {
    const auto one = rotary->forward(x.narrow(2, t, 1), 490 + t);
    REQUIRE(test::max_diff(one, whole.narrow(2, t, 1)) < 1e-6);
  }
}

TEST_CASE("half precision comes back as it came, and odd widths are refused",
          "[nn][rotary][unit]") {
  const Rotary rotary(AngleOptions{.width = 6});
  REQUIRE(rotary->forward(torch::randn({1, 1, 2, 6}).to(torch::kBFloat16), 1).scalar_type() ==
          torch::kBFloat16);
  REQUIRE_THROWS_WITH(Rotary(AngleOptions{.width = 5}), test::ContainsSubstring("a head has 5"));
  REQUIRE_THROWS_WITH(rotary->forward(torch::randn({1, 1, 2, 8}), 0),
                      test::ContainsSubstring("depth 8 != rotary width 6"));
}

}  // namespace
}  // namespace heed::nn
