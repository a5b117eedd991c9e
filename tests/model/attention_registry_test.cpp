#include "model/attention_registry.h"

#include <algorithm>

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

TEST_CASE("an unknown type or impl is answered with those there are",
          "[model][attention_registry][unit]") {
  config::Model config{.d_model = 8, .heads = 2};
  config.attention.type = "multihead";
  REQUIRE_THROWS_AS(make_attention(config), ConfigError);
  REQUIRE_THROWS_WITH(make_attention(config),
                      test::ContainsSubstring("model.attention.type: there is no 'multihead'; did "
                                              "you mean 'multi_head'? There are "));
  REQUIRE_THROWS_AS(check_attention_type("multihead"), ConfigError);
  REQUIRE_NOTHROW(check_attention_type("multi_head"));
  config.attention = {.type = "multi_head", .impl = "fast"};
  REQUIRE_THROWS_WITH(make_attention(config),
                      "model.attention.impl: 'fast' is none of auto, explicit, fused");
}

}  // namespace
}  // namespace heed::model
