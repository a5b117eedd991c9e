#include "model/attention_registry.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::model {
namespace {

TEST_CASE("the registry lists its variants, sorted", "[model][attention_registry][unit]") {
  const auto types = attention_types();
  REQUIRE(std::find(types.begin(), types.end(), "multi_head") != types.end());
  REQUIRE(std::is_sorted(types.begin(), types.end()));
}

TEST_CASE("each module made is fresh", "[model][attention_registry][unit]") {
  torch::manual_seed(1);
  const config::Model config{.d_model = 8, .heads = 2};
  const auto a = make_attention(config)->named_parameters();
  const auto b = make_attention(config)->named_parameters();
  REQUIRE(test::max_diff(a["q_proj.weight"], b["q_proj.weight"]) > 0.01);
}

TEST_CASE("the config's depths, heads and initialization reach the layer",
          "[model][attention_registry][unit]") {
  config::Model config{.d_model = 8, .heads = 4, .kv_heads = 2, .head_dim = 6};
  config.attention.value_dim = 3;
  const auto p = make_attention(config, Role::kEncoder)->named_parameters();
  REQUIRE(p["q_proj.weight"].sizes() == torch::IntArrayRef({24, 8}));
  REQUIRE(p["k_proj.weight"].sizes() == torch::IntArrayRef({12, 8}));
  REQUIRE(p["v_proj.weight"].sizes() == torch::IntArrayRef({6, 8}));
  REQUIRE(p["out_proj.weight"].sizes() == torch::IntArrayRef({8, 12}));
  config.attention = {.value_dim = 2, .out_proj = false};
  REQUIRE_FALSE(
      make_attention(config, Role::kEncoder)->named_parameters().contains("out_proj.weight"));
  config.init = "small";
  config.head_dim = 1000;
  const auto small = make_attention(config, Role::kEncoder)->named_parameters()["q_proj.weight"];
  REQUIRE(std::abs(small.std().item<double>() - std::sqrt(2.0 / 40.0)) < 0.01);
}

TEST_CASE("positions act in self-attention, and a decoder's bias has one side",
          "[model][attention_registry][unit]") {
  torch::manual_seed(1);
  config::Model config{.d_model = 8, .heads = 2, .positions = "relative"};
  const auto has_bias = [&](Role role) {
    return make_attention(config, role)->named_parameters().contains("score_bias.weight");
  };
  REQUIRE(has_bias(Role::kEncoder));
  REQUIRE(has_bias(Role::kDecoder));
  REQUIRE_FALSE(has_bias(Role::kCross));

  // Keys after the query share distance 0's bucket on one side, and have their own on two.
  const auto later_keys_differ = [&](Role role) {
    nn::AttentionParts parts;
    make_attention(config, role)->forward({.query = torch::ones({1, 4, 8}), .parts = &parts});
    const auto scores = parts.scores[0][0][0];
    return (scores[3] - scores[0]).abs().item<double>() > 1e-4;
  };
  REQUIRE(later_keys_differ(Role::kEncoder));
  REQUIRE_FALSE(later_keys_differ(Role::kDecoder));

  const auto moves = [&](Role role) {
    const auto attention = make_attention(config, role);
    const auto x = torch::randn({1, 4, 8});
    const auto swapped = x.index_select(1, torch::tensor({1, 0, 2, 3}, torch::kLong));
    const auto before = attention->forward({.query = x.narrow(1, 3, 1), .memory = x});
    const auto after = attention->forward({.query = x.narrow(1, 3, 1), .memory = swapped});
    return test::max_diff(before, after) > 1e-4;
  };
  for (const auto* positions : {"rotary", "alibi", "relative"}) {
    config.positions = positions;
    CAPTURE(positions);
    REQUIRE(moves(Role::kEncoder));
    REQUIRE(moves(Role::kDecoder));
    REQUIRE_FALSE(moves(Role::kCross));
  }
}

TEST_CASE("a single head has no biases, and is one", "[model][attention_registry][unit]") {
  config::Model config{.d_model = 8, .heads = 1, .head_dim = 3};
  config.attention.type = "single_head";
  const auto p = make_attention(config, Role::kCross)->named_parameters();
  REQUIRE(p.size() == 4);
  REQUIRE(p["q_proj.weight"].sizes() == torch::IntArrayRef({3, 8}));
  config.heads = 2;
  REQUIRE_THROWS_WITH(check_attention(config),
                      "model.heads: must be 1 under model.attention.type 'single_head', got 2");
}

TEST_CASE("what a variant can't have is refused with both keys",
          "[model][attention_registry][unit]") {
  config::Model config{.d_model = 8, .heads = 2, .positions = "rotary"};
  REQUIRE_NOTHROW(check_attention(config));
  for (const auto* type : {"additive", "general", "linear"}) {
    config.attention.type = type;
    REQUIRE_THROWS_AS(check_attention(config), ConfigError);
    REQUIRE_THROWS_WITH(
        make_attention(config, Role::kEncoder),
        test::ContainsSubstring("model.positions: 'rotary' turns queries and keys for plain dot "
                                "products, which model.attention.type '" +
                                std::string(type) + "' has no place for"));
  }
  for (const auto* type : {"linear", "longformer", "bigbird"}) {
    config.attention.type = type;
    for (const auto* positions : {"alibi", "relative"}) {
      config.positions = positions;
      REQUIRE_THROWS_AS(check_attention(config), ConfigError);
    }
  }
  config = {.d_model = 8, .heads = 2};
  config.attention = {.type = "linear", .dropout = 0.1};
  REQUIRE_THROWS_WITH(check_attention(config),
                      test::ContainsSubstring("model.attention.dropout: must be 0 under "
                                              "model.attention.type 'linear'"));
  config.attention = {.type = "additive", .impl = "fused"};
  REQUIRE_THROWS_WITH(check_attention(config),
                      "model.attention.impl: model.attention.type 'additive' has no fused kernel; "
                      "leave it 'auto'");
}

TEST_CASE("an unknown type or impl is answered with those there are",
          "[model][attention_registry][unit]") {
  config::Model config{.d_model = 8, .heads = 2};
  config.attention.type = "multihead";
  REQUIRE_THROWS_AS(make_attention(config), ConfigError);
  REQUIRE_THROWS_WITH(make_attention(config),
                      test::ContainsSubstring("model.attention.type: there is no 'multihead'; did "
                                              "you mean 'multi_head'? There are "));
  REQUIRE_THROWS_AS(check_attention(config), ConfigError);
  config.attention = {.type = "multi_head", .impl = "fast"};
  REQUIRE_THROWS_WITH(make_attention(config),
                      "model.attention.impl: 'fast' is none of auto, explicit, fused");
}

}  // namespace
}  // namespace heed::model
