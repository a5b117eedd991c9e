#include "inspect/verify_initial.h"

#include <cmath>

#include "inspect/verified_models.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

/// A fresh model whose weights `spoil` changes, as every model it builds.
template <typename Spoil>
Verified spoiled(const Spoil& spoil) {
  auto verified = test::small_model("translate");
  const auto build = verified.build;
  verified.build = [build, spoil](uint64_t seed) {
    auto model = build(seed);
    const torch::NoGradGuard no_grad;
    auto parameters = model.module().named_parameters();
    spoil(parameters);
    return model;
  };
  return verified;
}

TEST_CASE("layers that are copies are caught, and named", "[inspect][verify][property]") {
  const auto check = check_layers_differ(spoiled([](auto& named) {
    named["decoder.layers.1.cross_attn.k_proj.weight"].copy_(
        named["decoder.layers.0.cross_attn.k_proj.weight"]);
  }));
  REQUIRE(check.failed());
  REQUIRE(*check.measured == 0.0);
  REQUIRE(check.reason == "decoder.layers.*.cross_attn.k_proj.weight of layers 0 and 1");

  const auto single = test::small_model("classify", [](auto& model) { model.enc_layers = 1; });
  REQUIRE(check_layers_differ(single).reason == "there is one layer of each kind");
}

TEST_CASE("projections that are copies are caught, and named", "[inspect][verify][property]") {
  const auto check = check_projections_differ(spoiled([](auto& named) {
    named["encoder.layers.0.self_attn.v_proj.weight"].copy_(
        named["encoder.layers.0.self_attn.q_proj.weight"]);
  }));
  REQUIRE(check.failed());
  REQUIRE(check.reason == "encoder.layers.0.self_attn.{q,v}_proj");
}

TEST_CASE("scores that saturate softmax from the start are caught", "[inspect][verify][property]") {
  const auto check = check_model_score_std(
      spoiled([](auto& named) { named["encoder.layers.1.self_attn.q_proj.weight"].mul_(30.0); }));
  REQUIRE(check.failed());
  REQUIRE(check.reason == "encoder attention of layer 1");
}

TEST_CASE("the spread of scores is that of the init scheme, and unscaled ones of deep heads fail",
          "[inspect][verify][property]") {
  const std::string init = GENERATE("xavier_uniform", "xavier_normal", "kaiming", "small");
  CAPTURE(init);
  const double expected = init == "kaiming" ? 2.0 : init == "small" ? 0.4 : 1.0;
  for (const std::string type : {"multi_head", "dot"}) {
    const auto verified = test::small_model("classify", [&](auto& model) {
      model.d_model = 256;
      model.heads = 2;
      model.init = init;
      model.attention.type = type;
    });
    const auto check = check_score_std(verified);
    const double value = expected * (type == "dot" ? std::sqrt(128.0) : 1.0);
    REQUIRE(std::abs(*check.measured / value - 1.0) < 0.15);
    REQUIRE(check.failed() == (value > 5.0));
  }
}

TEST_CASE("linear attention has no spread that matters", "[inspect][verify][unit]") {
  const auto verified =
      test::small_model("classify", [](auto& model) { model.attention.type = "linear"; });
  REQUIRE(check_score_std(verified).result() == "n/a");
  REQUIRE(check_model_score_std(verified).result() == "n/a");
  REQUIRE(check_single_head(verified).result() == "pass");
}

TEST_CASE("one head gives what its weights give by the formula, scaled or not",
          "[inspect][verify][property]") {
  auto verified = test::small_model("classify", [](auto& model) { model.attention.type = "dot"; });
  REQUIRE(check_single_head(verified).result() == "pass");
  REQUIRE(check_single_head(test::small_model("classify")).result() == "pass");
}

}  // namespace
}  // namespace heed::inspect
