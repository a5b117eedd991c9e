#include "nn/norm.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

TEST_CASE("the type decides which norm is made", "[nn][norm][unit]") {
  using Type = NormOptions::Type;
  const auto x = torch::randn({2, 6}) + 3.0;
  const auto layer = make_norm({.type = Type::kLayer, .d_model = 6});
  const auto rms = make_norm({.type = Type::kRms, .d_model = 6});
  REQUIRE(layer->forward(x).mean().abs().item<double>() < 1e-5);
  REQUIRE(rms->forward(x).mean().item<double>() > 0.5);
  REQUIRE(layer->parameters().size() == 2);
  REQUIRE(rms->parameters().size() == 1);
}

}  // namespace
}  // namespace heed::nn
