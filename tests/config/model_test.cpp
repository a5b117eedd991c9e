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
  REQUIRE(fault({.d_model = 256, .heads = 3}) ==
          "model.heads: 3 heads do not divide model.d_model, which is 256");
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

TEST_CASE("rows are given or rounded, not both", "[config][model][unit]") {
  REQUIRE(fault({.vocab_multiple = 8}).empty());
  REQUIRE(fault({.vocab_rows = 100, .vocab_multiple = 1}).empty());
  REQUIRE(fault({.vocab_rows = 100, .vocab_multiple = 8}) ==
          "model.vocab_multiple: 8, but model.vocab_rows is 100; give one of them");
}

TEST_CASE("every choice of the model lists its words", "[config][model][unit]") {
  REQUIRE_THAT(fault({.type = "rnn"}), test::ContainsSubstring("model.type: there is no 'rnn'"));
  REQUIRE_THAT(fault({.norm_position = "prae"}), test::ContainsSubstring("There are pre, post"));
  REQUIRE_THAT(fault({.activation = "glu"}), test::ContainsSubstring("did you mean 'gelu'"));
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
