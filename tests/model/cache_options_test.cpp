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

}  // namespace
}  // namespace heed::model
