#include "config/model.h"

#include "base/error.h"
#include "config/example.h"
#include "support/catch.h"

namespace heed::config {
namespace {

std::string fault(const Model& model) {
  return test::fault_of<ConfigError>([&] { model.check("model"); });
}

TEST_CASE("the default model passes", "[config][model][unit]") {
  REQUIRE(fault(Model{}).empty());
  REQUIRE(fault({.heads = 8, .kv_heads = 2}).empty());
}

TEST_CASE("heads that don't divide are named with what they don't divide",
          "[config][model][unit]") {
  REQUIRE(
      fault({.d_model = 256, .heads = 3}) ==
      "model.heads: 3 heads do not divide model.d_model, which is 256; choose another number, or "
      "give model.head_dim");
  REQUIRE(fault({.d_model = 256, .heads = 3, .head_dim = 20}).empty());
  REQUIRE(fault({.heads = 4, .kv_heads = 3}) ==
          "model.kv_heads: 3 heads do not divide model.heads, which is 4");
  REQUIRE_FALSE(fault({.heads = 4, .kv_heads = 8}).empty());
}

TEST_CASE("sinusoidal positions need an even width", "[config][model][unit]") {
  REQUIRE_THAT(fault({.d_model = 15, .heads = 3}),
               test::ContainsSubstring("model.d_model must be even, got 15"));
  REQUIRE(fault({.d_model = 15, .heads = 3, .positions = "learned"}).empty());
  REQUIRE(fault({.d_model = 15, .heads = 3, .positions = "none"}).empty());
}

TEST_CASE("without an output projection the heads must make up the width",
          "[config][model][unit]") {
  REQUIRE(fault({.attention = {.out_proj = false}}).empty());
  REQUIRE(fault({.head_dim = 16, .attention = {.value_dim = 64, .out_proj = false}}).empty());
  REQUIRE(fault({.head_dim = 16, .attention = {.out_proj = false}}) ==
          "model.attention.out_proj: without it 4 heads of 16 values must make up model.d_model, "
          "which is 256; set model.attention.value_dim");
}

TEST_CASE("rotary positions need an even depth", "[config][model][unit]") {
  REQUIRE(fault({.positions = "rotary"}).empty());
  REQUIRE(fault({.d_model = 255, .heads = 4, .head_dim = 8, .positions = "rotary"}).empty());
  REQUIRE_THAT(fault({.head_dim = 7, .positions = "rotary"}),
               test::ContainsSubstring("model.positions: rotary ones turn pairs") &&
                   test::ContainsSubstring("must be even, got 7"));
  REQUIRE_THAT(fault({.d_model = 12, .heads = 4, .positions = "rotary"}),
               test::ContainsSubstring("model.d_model / model.heads, must be even, got 3"));
}

TEST_CASE("a relative bias has an even number of buckets, and goes further than the near ones",
          "[config][model][unit]") {
  REQUIRE(
      fault({.positions = "relative", .relative_buckets = 8, .relative_max_distance = 5}).empty());
  REQUIRE(fault({.positions = "relative", .relative_buckets = 7}) ==
          "model.relative_buckets: must be even and at least 4, got 7");
  REQUIRE_THAT(fault({.positions = "relative", .relative_max_distance = 16}),
               test::ContainsSubstring("above half of model.relative_buckets") &&
                   test::ContainsSubstring("got 16"));
}

TEST_CASE("scaling of positions wants a factor, and positions that can be scaled",
          "[config][model][unit]") {
  const auto scaled = [](const std::string& positions, const std::string& scaling) {
    return fault({.positions = positions, .position_scaling = scaling, .position_factor = 2.0});
  };
  for (const auto* positions : {"sinusoidal", "learned", "rotary"}) {
    REQUIRE(scaled(positions, "linear").empty());
  }
  REQUIRE(scaled("rotary", "ntk").empty());
  REQUIRE(scaled("learned", "ntk") ==
          "model.position_scaling: 'ntk' scales sinusoidal, rotary positions, and model.positions "
          "is 'learned'");
  REQUIRE_THAT(scaled("alibi", "linear"), test::ContainsSubstring("model.positions is 'alibi'"));
  REQUIRE(fault({.position_factor = 4.0}) ==
          "model.position_factor: 4 under model.position_scaling 'none' changes nothing; give both "
          "or neither");
  REQUIRE_FALSE(fault({.position_scaling = "linear"}).empty());
  REQUIRE_THAT(fault({.head_dim = 2,
                      .positions = "rotary",
                      .position_scaling = "ntk",
                      .position_factor = 2.0}),
               test::ContainsSubstring("needs more than 2 features"));
}

TEST_CASE("a key that the other choices don't read is refused with what would read it",
          "[config][model][unit]") {
  REQUIRE(fault({.rotary_base = 500.0}) ==
          "model.rotary_base: read only where model.positions is rotary, and it is 'sinusoidal'");
  REQUIRE(fault({.positions = "rotary", .rotary_base = 500.0}).empty());
  REQUIRE_FALSE(fault({.relative_buckets = 8}).empty());
  REQUIRE_FALSE(fault({.residual = false, .residual_scale = 0.5}).empty());
  const auto attention = [](const Attention& one) {
    return test::fault_of<ConfigError>([&] { one.check("model.attention"); });
  };
  REQUIRE(attention({.window = 8}) ==
          "model.attention.window: read only where model.attention.type is window, longformer, "
          "bigbird, and it is 'multi_head'");
  REQUIRE(attention({.type = "bigbird", .window = 8, .random = 2, .block = 4}).empty());
  REQUIRE_FALSE(attention({.top_k = 2}).empty());
  REQUIRE_FALSE(attention({.hidden = 2}).empty());
  REQUIRE_FALSE(attention({.type = "longformer", .random = 2}).empty());
  REQUIRE_FALSE(attention({.type = "window", .global_tokens = {"the"}}).empty());
  REQUIRE(attention({.type = "longformer", .global_positions = {0, -1}}) ==
          "model.attention.global_positions: positions begin at 0, got -1");
  REQUIRE(attention({.type = "longformer", .global_tokens = {"</s>", "<s>"}}) ==
          "model.attention.global_tokens: no source holds '<s>'; choose one that stands in texts, "
          "or '</s>', the last of each");
}

TEST_CASE("rows are given or rounded, not both", "[config][model][unit]") {
  REQUIRE(fault({.vocab_multiple = 8}).empty());
  REQUIRE(fault({.vocab_rows = 100, .vocab_multiple = 1}).empty());
  REQUIRE(fault({.vocab_rows = 100, .vocab_multiple = 8}) ==
          "model.vocab_multiple: 8, but model.vocab_rows is 100; give one of them");
}

TEST_CASE("every choice of the model lists its words", "[config][model][unit]") {
  REQUIRE(fault({.type = "cnn"}) ==
          "model.type: there is no 'cnn'; did you mean 'rnn'? There are transformer, rnn");
  REQUIRE_THAT(fault({.norm_position = "prae"}), test::ContainsSubstring("There are pre, post"));
  REQUIRE_THAT(fault({.activation = "glu"}), test::ContainsSubstring("did you mean 'gelu'"));
  REQUIRE_THAT(fault({.norm = "rmsnorm"}), test::ContainsSubstring("There are layer, rms"));
  REQUIRE_THAT(fault({.init = "he"}), test::ContainsSubstring("xavier_normal, kaiming, small"));
  REQUIRE_THAT(fault({.position_scaling = "yarn"}), test::ContainsSubstring("none, linear, ntk"));
  REQUIRE_THAT(fault({.positions = "sin"}),
               test::ContainsSubstring("did you mean 'sinusoidal'? There are sinusoidal, learned, "
                                       "none"));
  REQUIRE_THAT(fault({.tie = "both"}), test::ContainsSubstring("none, softmax, all"));
  REQUIRE_THAT(fault({.pooling = "sum"}), test::ContainsSubstring("cls, mean, max"));
  const auto attention =
      test::fault_of<ConfigError>([] { Attention{.impl = "flash"}.check("model.attention"); });
  REQUIRE_THAT(attention, test::ContainsSubstring("model.attention.impl: there is no 'flash'") &&
                              test::ContainsSubstring("explicit, fused, auto"));
}

}  // namespace
}  // namespace heed::config
