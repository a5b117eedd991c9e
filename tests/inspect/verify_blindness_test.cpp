#include "inspect/verify_blindness.h"

#include "inspect/planted_translator.h"
#include "inspect/verified_models.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

using test::MaskFault;

TEST_CASE("a decoder that sees later tokens is caught", "[inspect][verify][property]") {
  const auto fault = GENERATE(MaskFault::kMissing, MaskFault::kInverted, MaskFault::kFirstHeadOnly);
  CAPTURE(test::name_of(fault));
  const auto check = check_future(test::planted({.decoder = fault}));
  REQUIRE(check.failed());
  REQUIRE(*check.measured > 1e-3);
  REQUIRE(*check_future(test::planted({})).measured == 0.0);
}

TEST_CASE("padding that is seen is caught, in the encoder and through the cross attention",
          "[inspect][verify][property]") {
  const auto fault = GENERATE(MaskFault::kMissing, MaskFault::kInverted, MaskFault::kFirstRowForAll,
                              MaskFault::kFirstHeadOnly);
  CAPTURE(test::name_of(fault));
  REQUIRE(check_padding(test::planted({.encoder = fault})).failed());
  REQUIRE(check_padding(test::planted({.cross = fault})).failed());
  REQUIRE(check_batch(test::planted({.encoder = fault})).failed());
  REQUIRE(check_padding(test::planted({})).result() == "pass");
  REQUIRE(check_batch(test::planted({})).result() == "pass");
}

TEST_CASE("positions that are there in spite of the config are caught, and so are absent ones",
          "[inspect][verify][property]") {
  auto told = test::small_model("translate");
  told.config.positions = "none";  // the model has sinusoids
  REQUIRE(check_permutation(told).failed());

  auto blind = test::small_model("translate", [](auto& model) { model.positions = "none"; });
  blind.config.positions = "sinusoidal";
  const auto check = check_swap(blind);
  REQUIRE(check.failed());
  REQUIRE(*check.measured < 1e-5);
}

TEST_CASE("a pattern goes by places, so order-blindness does not apply",
          "[inspect][verify][unit]") {
  const auto verified = test::small_model("classify", [](auto& model) {
    model.positions = "none";
    model.attention.type = "window";
  });
  REQUIRE(check_permutation(verified).reason == "window attention itself goes by places");
  REQUIRE(check_swap(verified).reason == "model.positions is none");
}

}  // namespace
}  // namespace heed::inspect
