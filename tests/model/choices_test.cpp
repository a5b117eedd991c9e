#include "model/choices.h"

#include "base/error.h"
#include "support/catch.h"

namespace heed::model {
namespace {

TEST_CASE("the config's words become options", "[model][choices][unit]") {
  const config::Model config{.d_model = 12,
                             .d_ff = 34,
                             .dropout = 0.2,
                             .norm_position = "post",
                             .activation = "gelu",
                             .positions = "learned",
                             .tie = "softmax",
                             .pooling = "max"};
  const auto layer = layer_options(config);
  REQUIRE(layer.d_model == 12);
  REQUIRE(layer.d_ff == 34);
  REQUIRE(layer.dropout == 0.2);
  REQUIRE_FALSE(layer.norm_first);
  REQUIRE(layer.activation == nn::Activation::kGelu);
  REQUIRE(positions_options(config, 9).type == nn::PositionsOptions::Type::kLearned);
  REQUIRE(positions_options(config, 9).max_len == 9);
  REQUIRE(tie(config) == Tie::kSoftmax);
  REQUIRE(pooling(config) == Pooling::kMax);
}

TEST_CASE("an unknown word is answered with those there are", "[model][choices][unit]") {
  REQUIRE_THROWS_AS(layer_options({.norm_position = "first"}), ConfigError);
  REQUIRE_THROWS_WITH(layer_options({.norm_position = "first"}),
                      "model.norm_position: 'first' is none of post, pre");
  REQUIRE_THROWS_WITH(layer_options({.activation = "swish"}),
                      "model.activation: 'swish' is none of gelu, relu");
  REQUIRE_THROWS_WITH(positions_options({.positions = "rotary"}, 1),
                      "model.positions: 'rotary' is none of learned, none, sinusoidal");
  REQUIRE_THROWS_WITH(tie({.tie = "both"}), "model.tie: 'both' is none of all, none, softmax");
  REQUIRE_THROWS_WITH(pooling({.pooling = "sum"}),
                      "model.pooling: 'sum' is none of cls, max, mean");
}

}  // namespace
}  // namespace heed::model
