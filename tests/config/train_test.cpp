#include "config/train.h"

#include <limits>

#include "base/error.h"
#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

std::string fault(const Train& train) {
  return test::fault_of<ConfigError>([&] { train.check("train"); });
}

TEST_CASE("a training needs an end", "[config][train][unit]") {
  REQUIRE_THAT(fault(Train{}), test::ContainsSubstring("train.max_steps: a training needs an end"));
  REQUIRE(fault({.max_steps = 1}).empty());
  REQUIRE(fault({.max_epochs = 1}).empty());
  REQUIRE(fault({.max_seconds = 0.5}).empty());
}

TEST_CASE("adam_betas are two numbers from 0 to below 1", "[config][train][unit]") {
  REQUIRE(fault({.adam_betas = {0.0, 0.0}, .max_steps = 1}).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto betas = GENERATE_COPY(values<std::vector<double>>(
      {{}, {0.9}, {0.9, 0.98, 0.99}, {0.9, 1.0}, {-0.1, 0.9}, {0.9, nan}}));
  REQUIRE_THAT(fault({.adam_betas = betas, .max_steps = 1}),
               test::ContainsSubstring("train.adam_betas: must be two numbers in [0, 1), got ["));
}

TEST_CASE("decay steps are a share or whole, before an end in steps", "[config][train][unit]") {
  REQUIRE(fault({.decay_steps = 0.3, .max_steps = 9}).empty());
  REQUIRE(fault({.decay_steps = 1.0, .max_steps = 9}).empty());
  REQUIRE_THAT(fault({.decay_steps = 2.5, .max_steps = 9}),
               test::ContainsSubstring("train.decay_steps: must be a share below 1 or a whole"));
  REQUIRE(fault({.decay_steps = 0.3, .max_epochs = 9}).empty());
  REQUIRE(fault({.decay_steps = 0.3, .max_seconds = 9.0}).empty());
  REQUIRE_THAT(
      fault({.decay_steps = 3.0, .max_epochs = 9}),
      test::ContainsSubstring("train.decay_steps: 3 steps before an end that train.max_steps"));
}

TEST_CASE("every choice of the training lists its words", "[config][train][unit]") {
  REQUIRE_THAT(fault({.optimizer = "sgdd", .max_steps = 1}),
               test::ContainsSubstring("train.optimizer: there is no 'sgdd'") &&
                   test::ContainsSubstring("There are adam, adamw, sgd, adafactor"));
  REQUIRE_THAT(
      fault({.schedule = "cosin", .max_steps = 1}),
      test::ContainsSubstring("There are noam, inverse_sqrt, linear, cosine, plateau, constant"));
  REQUIRE_THAT(
      fault({.precision = "fp61", .max_steps = 1}),
      test::ContainsSubstring("did you mean 'bf16'? There are fp32, bf16, fp16, auto") ||
          test::ContainsSubstring("did you mean 'fp16'? There are fp32, bf16, fp16, auto") ||
          test::ContainsSubstring("did you mean 'fp32'? There are fp32, bf16, fp16, auto"));
  REQUIRE_THAT(fault({.schedule = "plateau", .max_steps = 1, .eval_every = 0}),
               test::ContainsSubstring("train.schedule: plateau follows the scores"));
  REQUIRE_THAT(fault({.schedule = "linear", .decay_steps = 0.3, .max_steps = 1}),
               test::ContainsSubstring("train.decay_steps: linear falls to 0 by itself"));
}

}  // namespace
}  // namespace heed::config
