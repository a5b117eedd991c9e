#include "train/loss_scale.h"

#include "support/catch.h"

namespace heed::train {
namespace {

TEST_CASE("the scale is halved by an overflow and doubled after 2,000 updates without",
          "[train][loss_scale][unit]") {
  checkpoint::Progress progress;
  LossScale scale(progress, /*active=*/true);
  REQUIRE(scale.value() == 65536.0);
  scale.shrink();
  REQUIRE(scale.value() == 32768.0);
  REQUIRE(progress.skipped == 1);
  for (int step = 0; step < 1999; ++step) scale.grow();
  REQUIRE(scale.value() == 32768.0);
  scale.grow();
  REQUIRE(scale.value() == 65536.0);
  for (int halved = 0; halved < 16; ++halved) {
    REQUIRE_FALSE(scale.exhausted());
    scale.shrink();
  }
  REQUIRE(scale.value() == 1.0);
  REQUIRE(scale.exhausted());
}

TEST_CASE("without fp16 the scale is 1 and stays", "[train][loss_scale][unit]") {
  checkpoint::Progress progress;
  LossScale scale(progress, /*active=*/false);
  for (int step = 0; step < 5000; ++step) scale.grow();
  REQUIRE(scale.value() == 1.0);
  REQUIRE_FALSE(scale.exhausted());
  REQUIRE(progress == checkpoint::Progress{});
}

}  // namespace
}  // namespace heed::train
