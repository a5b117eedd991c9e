#include "train/schedule.h"

#include <algorithm>
#include <cmath>

#include "support/catch.h"

namespace heed::train {
namespace {

config::Train make_config(const std::string& schedule, double lr, int64_t warmup_steps) {
  config::Train config;
  config.schedule = schedule;
  config.lr = lr;
  config.warmup_steps = warmup_steps;
  return config;
}

TEST_CASE("noam gives the paper's rates", "[train][schedule][unit]") {
  const auto config = make_config("noam", 1.0, 4000);
  REQUIRE(std::abs(learning_rate(config, 512, 1) - 1.7469e-07) < 1e-4 * 1.7469e-07);
  REQUIRE(std::abs(learning_rate(config, 512, 2) - 3.4939e-07) < 1e-4 * 3.4939e-07);
  REQUIRE(std::abs(learning_rate(config, 512, 4000) - 6.9877e-04) < 1e-4 * 6.9877e-04);
  REQUIRE(std::abs(learning_rate(config, 512, 8000) - 4.9411e-04) < 1e-4 * 4.9411e-04);
}

TEST_CASE("inverse square root peaks at the end of the warm-up", "[train][schedule][unit]") {
  const auto config = make_config("inverse_sqrt", 0.01, 100);
  REQUIRE(std::abs(learning_rate(config, 512, 1) - 0.0001) < 1e-6);
  REQUIRE(std::abs(learning_rate(config, 512, 50) - 0.005) < 1e-6);
  REQUIRE(std::abs(learning_rate(config, 512, 100) - 0.01) < 1e-6);
  REQUIRE(std::abs(learning_rate(config, 512, 400) - 0.005) < 1e-6);
}

TEST_CASE("a constant rate stays after its warm-up", "[train][schedule][unit]") {
  const auto config = make_config("constant", 0.01, 4);
  REQUIRE(std::abs(learning_rate(config, 512, 1) - 0.0025) < 1e-6);
  REQUIRE(std::abs(learning_rate(config, 512, 4) - 0.01) < 1e-6);
  REQUIRE(std::abs(learning_rate(config, 512, 4000) - 0.01) < 1e-6);
}

TEST_CASE("linear and cosine fall from the end of the warm-up to the end of the run",
          "[train][schedule][unit]") {
  for (const int64_t warmup : {0, 10}) {
    auto linear = make_config("linear", 0.1, warmup);
    auto cosine = make_config("cosine", 0.1, warmup);
    linear.max_steps = cosine.max_steps = 110;
    const auto all = static_cast<double>(111 - warmup);
    for (const int64_t step : {1, 5, 10, 11, 60, 109, 110}) {
      CAPTURE(warmup, step);
      const double risen = warmup == 0 ? 1.0 : std::min(1.0, static_cast<double>(step) / 10.0);
      const double fallen = std::max(0.0, static_cast<double>(step - warmup) / all);
      const double half = 0.5 * (1.0 + std::cos(3.14159265358979 * fallen));
      REQUIRE(std::abs(learning_rate(linear, 64, step) - 0.1 * std::min(risen, 1.0 - fallen)) <
              1e-12);
      REQUIRE(std::abs(learning_rate(cosine, 64, step) - 0.1 * std::min(risen, half)) < 1e-12);
    }
  }
}

TEST_CASE("linear and cosine follow the clock where seconds end the run",
          "[train][schedule][unit]") {
  auto config = make_config("linear", 0.1, 0);
  config.max_seconds = 60.0;
  REQUIRE(std::abs(learning_rate(config, 64, 9, 0.25) - 0.075) < 1e-12);
  config.schedule = "cosine";
  REQUIRE(std::abs(learning_rate(config, 64, 9, 0.5) - 0.05) < 1e-12);
  config.max_steps = 10;  // whichever is nearer to its end
  REQUIRE(std::abs(learning_rate(config, 64, 1, 0.5) - 0.05) < 1e-12);
}

TEST_CASE("no rate is 0 at any step of a run, with or without warm-up and decay",
          "[train][schedule][property]") {
  const std::string schedule = GENERATE(as<std::string>{}, "noam", "inverse_sqrt", "constant",
                                        "linear", "cosine", "plateau");
  const auto warmup = GENERATE(values<int64_t>({0, 1, 7}));
  const auto decay = GENERATE(0.0, 0.3, 0.999, 1.0, 5.0, 50.0);
  auto config = make_config(schedule, 0.5, warmup);
  config.decay_steps = decay;
  config.max_steps = 20;
  for (int64_t step = 1; step <= 20; ++step) {
    CAPTURE(schedule, warmup, decay, step);
    REQUIRE(learning_rate(config, 64, step) > 0.0);
  }
}

TEST_CASE("the last steps of a run fall in a line", "[train][schedule][unit]") {
  auto config = make_config("constant", 1.0, 0);
  config.max_steps = 100;
  for (const double decay : {10.0, 0.1}) {  // a count and a share
    config.decay_steps = decay;
    REQUIRE(std::abs(learning_rate(config, 64, 90) - 1.0) < 1e-6);
    REQUIRE(std::abs(learning_rate(config, 64, 91) - 1.0) < 1e-6);
    REQUIRE(std::abs(learning_rate(config, 64, 96) - 0.5) < 1e-6);
    REQUIRE(std::abs(learning_rate(config, 64, 100) - 0.1) < 1e-6);
  }
}

TEST_CASE("where time or epochs end the run, its last share falls in a line",
          "[train][schedule][unit]") {
  auto config = make_config("constant", 1.0, 0);
  config.decay_steps = 0.25;
  config.max_seconds = 100.0;
  REQUIRE(std::abs(learning_rate(config, 64, 7, 0.0) - 1.0) < 1e-9);
  REQUIRE(std::abs(learning_rate(config, 64, 7, 0.75) - 1.0) < 1e-9);
  REQUIRE(std::abs(learning_rate(config, 64, 7, 0.875) - 0.5) < 1e-9);
  REQUIRE(learning_rate(config, 64, 7, 1.5) == 0.0);

  config.max_steps = 100;  // what ends first counts
  REQUIRE(std::abs(learning_rate(config, 64, 96, 0.9) - 0.2) < 1e-9);
  REQUIRE(std::abs(learning_rate(config, 64, 96, 0.8) - 0.2) < 1e-9);
  config.decay_steps = 10.0;  // steps are steps, whatever the clock says
  REQUIRE(std::abs(learning_rate(config, 64, 50, 0.99) - 1.0) < 1e-9);
}

}  // namespace
}  // namespace heed::train
