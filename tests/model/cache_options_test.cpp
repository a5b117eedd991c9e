#include "model/cache_options.h"

#include "base/error.h"
#include "support/catch.h"

namespace heed::model {
namespace {

using Precision = nn::CacheOptions::Precision;

TEST_CASE("the config's words become options of caches", "[model][cache_options][unit]") {
  config::Decode decode;
  REQUIRE(cache_options(decode).max == 0);
  REQUIRE(cache_options(decode).precision == Precision::kSame);
  REQUIRE_FALSE(lossy(cache_options(decode)));

  decode.cache_max = 7;
  REQUIRE(cache_options(decode).max == 7);
  REQUIRE(lossy(cache_options(decode)));

  decode = {.cache_precision = "bf16"};
  REQUIRE(cache_options(decode).precision == Precision::kBf16);
  REQUIRE(lossy(cache_options(decode)));
  decode.cache_precision = "int8";
  REQUIRE(cache_options(decode).precision == Precision::kInt8);
  decode.cache_precision = "int4";
  REQUIRE_THROWS_AS(cache_options(decode), ConfigError);
}

TEST_CASE("forgetting and rounding are told apart", "[model][cache_options][unit]") {
  REQUIRE_FALSE(rounds({.max = 7}));
  REQUIRE(rounds({.precision = Precision::kInt8}));
}

TEST_CASE("a model that keeps sums has no keys to bound or to round",
          "[model][cache_options][unit]") {
  config::Model model;
  REQUIRE_NOTHROW(check_caches(model, {.cache_max = 7, .cache_precision = "int8"}));
  model.attention.type = "linear";
  REQUIRE_NOTHROW(check_caches(model, {}));
  REQUIRE_THROWS_AS(check_caches(model, {.cache_max = 7}), ConfigError);
  REQUIRE_THROWS_WITH(check_caches(model, {.cache_max = 7}),
                      "decode.cache_max: model.attention.type 'linear' keeps two sums, and no keys "
                      "to forget; leave it out");
  REQUIRE_THROWS_WITH(check_caches(model, {.cache_precision = "bf16"}),
                      test::ContainsSubstring("decode.cache_precision: "));
}

}  // namespace
}  // namespace heed::model
