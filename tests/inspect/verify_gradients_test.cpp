#include "inspect/verify_gradients.h"

#include <limits>

#include "inspect/verified_models.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

TEST_CASE("gradients that are not finite are counted and named", "[inspect][verify][property]") {
  const auto verified = test::small_model("translate");
  REQUIRE(check_gradients_finite(verified).result() == "pass");
  auto weight =
      verified.model.module().named_parameters()["encoder.layers.0.feed_forward.fc1.weight"];
  weight.detach()[0][0] = std::numeric_limits<double>::quiet_NaN();
  const auto check = check_gradients_finite(verified);
  REQUIRE(check.failed());
  REQUIRE(check.reason.find(" and ") != std::string::npos);
}

TEST_CASE("a parameter that no gradient reaches is named", "[inspect][verify][property]") {
  const auto verified = test::small_model("translate");
  REQUIRE(check_gradients_reach(verified).result() == "pass");
  verified.model.module().register_parameter("forgotten", torch::ones({2}));
  const auto check = check_gradients_reach(verified);
  REQUIRE(*check.measured == 1.0);
  REQUIRE(check.reason == "forgotten");
}

TEST_CASE("a bias of keys that gets no gradient is excused where softmax ignores its shift only",
          "[inspect][verify][property]") {
  const auto excused = [](const std::string& type, const std::string& positions,
                          const std::string& name) {
    const auto verified = test::small_model("translate", [&](config::Model& model) {
      model.attention.type = type;
      model.positions = positions;
    });
    REQUIRE(check_gradients_reach(verified).result() == "pass");
    verified.model.module().named_parameters()[name].set_requires_grad(false);
    return check_gradients_reach(verified).result() == "pass";
  };
  const std::string self = "decoder.layers.0.self_attn.k_proj.bias";
  const std::string cross = "decoder.layers.0.cross_attn.k_proj.bias";
  REQUIRE(excused("multi_head", "sinusoidal", self));
  REQUIRE(excused("general", "sinusoidal", self));
  REQUIRE(excused("multi_head", "rotary", cross));
  REQUIRE_FALSE(excused("multi_head", "rotary", self));
  REQUIRE_FALSE(excused("additive", "sinusoidal", self));
  REQUIRE_FALSE(excused("linear", "sinusoidal", cross));
}

TEST_CASE("a sublayer whose result is multiplied by 0 gets no gradients",
          "[inspect][verify][property]") {
  const auto verified =
      test::small_model("classify", [](auto& model) { model.residual_scale = 0.0; });
  REQUIRE(check_gradients_reach(verified).failed());
}

}  // namespace
}  // namespace heed::inspect
