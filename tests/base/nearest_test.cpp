#include "base/nearest.h"

#include "support/catch.h"

namespace heed {
namespace {

TEST_CASE("the nearest word takes the fewest edits", "[base][nearest][unit]") {
  const std::vector<std::string> known{"lr", "schedule", "warmup_steps", "max_steps"};
  REQUIRE(nearest("warmup-steps", known) == "warmup_steps");
  REQUIRE(nearest("maxsteps", known) == "max_steps");
  REQUIRE(nearest("shcedule", known) == "schedule");
  REQUIRE(nearest("l", known) == "lr");
}

TEST_CASE("a word that another begins with is nearest to it", "[base][nearest][unit]") {
  REQUIRE(nearest("--beam-siz", {"--batch", "--beam-size"}) == "--beam-size");
  REQUIRE(nearest("warm", {"lr", "wars", "warmup_steps"}) == "warmup_steps");
}

TEST_CASE("of equally near words the first is taken, also for the empty word",
          "[base][nearest][unit]") {
  REQUIRE(nearest("ab", {"ax", "ay"}) == "ax");
  REQUIRE(nearest("", {"pre", "post"}) == "pre");
}

}  // namespace
}  // namespace heed
