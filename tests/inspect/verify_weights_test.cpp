#include "inspect/verify_weights.h"

#include "inspect/planted_translator.h"
#include "inspect/verified_models.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

using test::MaskFault;

TEST_CASE("a missing or inverted mask leaves weight on what is hidden, and the place is named",
          "[inspect][verify][property]") {
  const auto fault = GENERATE(MaskFault::kMissing, MaskFault::kInverted, MaskFault::kFirstHeadOnly);
  CAPTURE(test::name_of(fault));
  const auto encoder = check_hidden_weights(test::planted({.encoder = fault}));
  REQUIRE(encoder.failed());
  REQUIRE(*encoder.measured > 0.01);
  REQUIRE(encoder.reason == "encoder attention of layer 0");
  REQUIRE(check_hidden_weights(test::planted({.decoder = fault})).reason ==
          "decoder attention of layer 0");
  REQUIRE(check_hidden_weights(test::planted({.cross = fault})).reason ==
          "cross attention of layer 0");
}

TEST_CASE("the mask of the first text for all leaves weight on the padding of the others",
          "[inspect][verify][property]") {
  REQUIRE(check_hidden_weights(test::planted({.encoder = MaskFault::kFirstRowForAll})).failed());
  REQUIRE(check_hidden_weights(test::planted({.cross = MaskFault::kFirstRowForAll})).failed());
}

TEST_CASE("an inverted mask leaves rows whose sum is neither 1 nor 0 where it should be",
          "[inspect][verify][property]") {
  REQUIRE(check_row_sums(test::planted({.encoder = MaskFault::kInverted})).failed());
  REQUIRE(check_row_sums(test::planted({.decoder = MaskFault::kInverted})).failed());
  REQUIRE(check_row_sums(test::planted({.cross = MaskFault::kInverted})).failed());
  REQUIRE(check_row_sums(test::planted({})).result() == "pass");
}

TEST_CASE("a pattern that is wider than it says is found", "[inspect][verify][property]") {
  const std::string type = GENERATE("window", "longformer", "bigbird", "top_k");
  CAPTURE(type);
  auto verified = test::small_model("translate", [&](config::Model& model) {
    model.attention.type = type;
    model.attention.window = type == "top_k" ? model.attention.window : 2;
    if (type == "top_k") model.attention.top_k = 3;
    if (type == "longformer") model.attention.global_positions = {0};
    if (type != "bigbird") return;
    model.attention.random = 3;
    model.attention.block = 4;
  });
  REQUIRE(check_hidden_weights(verified).result() == "pass");
  auto& said = verified.config.attention;  // what the model was built with is one more
  if (type == "top_k") --said.top_k;
  if (type == "window") --said.window;
  if (type == "longformer") said.global_positions.clear();
  if (type == "bigbird") --said.random;
  REQUIRE(check_hidden_weights(verified).failed());
}

/// Attention whose context is one feature wider.
class Wide final : public nn::Attention {
 public:
  torch::Tensor forward(const nn::AttentionInput& input) override {
    return torch::cat({input.query, input.query.narrow(2, 0, 1)}, 2);
  }
  std::unique_ptr<nn::AttentionCache> start(int64_t, const nn::CacheOptions&) const override {
    return nullptr;
  }
  std::unique_ptr<nn::AttentionCache> remember(const torch::Tensor&, const torch::Tensor&,
                                               const nn::CacheOptions&) const override {
    return nullptr;
  }
};

TEST_CASE("an attention that changes the shape is counted and named",
          "[inspect][verify][property]") {
  auto verified = test::planted({});
  REQUIRE(check_shapes(verified).result() == "pass");
  verified.model.module().register_module("wide", std::make_shared<Wide>());
  const auto check = check_shapes(verified);
  REQUIRE(check.failed());
  REQUIRE(*check.measured == 1.0);
  REQUIRE(check.reason == "wide: [2, 5, 17], not [2, 5, 16]");
}

}  // namespace
}  // namespace heed::inspect
