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

TEST_CASE("blocks of newer models have their words", "[model][choices][unit]") {
  const auto layer = layer_options({.norm = "rms",
                                    .activation = "swiglu",
                                    .residual = false,
                                    .residual_scale = 0.5,
                                    .init = "small"});
  REQUIRE(layer.norm == nn::NormOptions::Type::kRms);
  REQUIRE(layer.activation == nn::Activation::kSwiglu);
  REQUIRE_FALSE(layer.residual);
  REQUIRE(layer.residual_scale == 0.5);
  REQUIRE(layer.init == nn::Init::kSmall);
  REQUIRE(init({.init = "kaiming"}) == nn::Init::kKaiming);
  REQUIRE(init({.init = "xavier_normal"}) == nn::Init::kXavierNormal);
}

TEST_CASE("positions inside attention add none to the embeddings", "[model][choices][unit]") {
  using Type = nn::PositionsOptions::Type;
  for (const auto* positions : {"rotary", "alibi", "relative", "none"}) {
    REQUIRE(positions_options({.positions = positions}, 9).type == Type::kNone);
  }
}

TEST_CASE("longer texts stretch positions or slow them down", "[model][choices][unit]") {
  const config::Model linear{.d_model = 8, .position_scaling = "linear", .position_factor = 4.0};
  REQUIRE(positions_options(linear, 42).stretch == 4.0);
  REQUIRE(positions_options(linear, 42).base == 10000.0);
  REQUIRE(positions_options(linear, 42).max_len == 42);
  const config::Model ntk{.d_model = 8, .position_scaling = "ntk", .position_factor = 4.0};
  REQUIRE(positions_options(ntk, 42).stretch == 1.0);
  REQUIRE(positions_options(ntk, 42).base == nn::ntk_base(10000.0, 4.0, 8));
  REQUIRE(angle_options(ntk, 4, 100.0).base == nn::ntk_base(100.0, 4.0, 4));
  // A table trained on texts of 10 tokens, and 2 special ones, serves those of 40.
  config::Model learned = linear;
  learned.positions = "learned";
  REQUIRE(positions_options(learned, 40 + 2).max_len == 10 + 2);
}

TEST_CASE("an unknown word is answered with those there are", "[model][choices][unit]") {
  REQUIRE_THROWS_AS(layer_options({.norm_position = "first"}), ConfigError);
  REQUIRE_THROWS_WITH(layer_options({.norm_position = "first"}),
                      "model.norm_position: 'first' is none of post, pre");
  REQUIRE_THROWS_WITH(layer_options({.activation = "swish"}),
                      "model.activation: 'swish' is none of gelu, relu, swiglu");
  REQUIRE_THROWS_WITH(positions_options({.positions = "rope"}, 1),
                      "model.positions: 'rope' is none of alibi, learned, none, relative, rotary, "
                      "sinusoidal");
  REQUIRE_THROWS_WITH(layer_options({.norm = "batch"}),
                      "model.norm: 'batch' is none of layer, rms");
  REQUIRE_THROWS_WITH(
      init({.init = "ones"}),
      "model.init: 'ones' is none of kaiming, small, xavier_normal, xavier_uniform");
  REQUIRE_THROWS_WITH(tie({.tie = "both"}), "model.tie: 'both' is none of all, none, softmax");
  REQUIRE_THROWS_WITH(pooling({.pooling = "sum"}),
                      "model.pooling: 'sum' is none of cls, max, mean");
}

}  // namespace
}  // namespace heed::model
