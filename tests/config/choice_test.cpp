#include "config/choice.h"

#include "base/error.h"
#include "support/catch.h"

namespace heed::config {
namespace {

TEST_CASE("a word outside of the choices is answered with the nearest and all of them",
          "[config][choice][unit]") {
  REQUIRE_NOTHROW(check_choice("a.b", "post", {"pre", "post"}));
  REQUIRE_THROWS_AS(check_choice("a.b", "psot", {"pre", "post"}), ConfigError);
  REQUIRE_THROWS_WITH(check_choice("a.b", "psot", {"pre", "post"}),
                      "a.b: there is no 'psot'; did you mean 'post'? There are pre, post");
  REQUIRE_THROWS_AS(check_choice("a.b", "", {"pre"}), ConfigError);
  REQUIRE_THROWS_WITH(check_choice("a.b", "pro", {"pre"}),
                      "a.b: there is no 'pro'; did you mean 'pre'? There is pre");
  REQUIRE_THROWS_AS(check_choice("a.b", "Pre", {"pre"}), ConfigError);
}

}  // namespace
}  // namespace heed::config
