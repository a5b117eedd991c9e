#include "config/decode.h"

#include "base/error.h"
#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

std::string fault(const Decode& decode) {
  return test::fault_of<ConfigError>([&] { decode.check("decode"); });
}

TEST_CASE("more results than the beam holds are refused, naming both", "[config][decode][unit]") {
  REQUIRE(fault({.beam_size = 3, .n_best = 3}).empty());
  REQUIRE(fault({.beam_size = 3, .n_best = 5}) ==
          "decode.n_best: 5 is more than decode.beam_size, which is 3");
}

TEST_CASE("what to do with long texts is truncate, split or error", "[config][decode][unit]") {
  REQUIRE(fault({.overlong = "error"}).empty());
  REQUIRE_THAT(fault({.overlong = "cut"}),
               test::ContainsSubstring("decode.overlong: there is no 'cut'") &&
                   test::ContainsSubstring("There are truncate, split, error"));
}

TEST_CASE("caches are kept as fp32, bf16 or int8", "[config][decode][unit]") {
  REQUIRE(fault({.cache_precision = "int8"}).empty());
  REQUIRE_THAT(fault({.cache_precision = "int4"}),
               test::ContainsSubstring("decode.cache_precision: there is no 'int4'") &&
                   test::ContainsSubstring("There are fp32, bf16, int8"));
}

}  // namespace
}  // namespace heed::config
