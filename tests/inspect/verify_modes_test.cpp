#include "inspect/verify_modes.h"

#include "inspect/planted_translator.h"
#include "inspect/verified_models.h"
#include "inspect/verify_training_mode.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

/// A classifier whose answer depends on the mode, on noise, or on a tensor that is not saved.
class Moody final : public model::Classifier {
 public:
  explicit Moody(double unsaved) : unsaved_(unsaved) {}
  torch::Tensor pool(const model::Sequences& source) override {
    const auto ids = source.ids.to(torch::kFloat).sum(1, true).remainder(7.0);
    const double mood = (is_training() ? in_training : 0.0) + (source.noise ? with_noise : 0.0);
    return ids * torch::ones({3}) * torch::tensor({1.0, 0.5, mood + unsaved_});
  }
  torch::Tensor output_weight() const override { return torch::zeros({3, 3}); }
  torch::Tensor output_bias() const override { return {}; }
  torch::Tensor logits(const torch::Tensor& features) const override { return features; }

  double in_training = 0.0;
  double with_noise = 0.0;

 private:
  double unsaved_;
};

Verified moody(const std::shared_ptr<Moody>& model) {
  auto verified = test::small_model("classify");
  model->eval();
  verified.model = Subject(model);
  verified.build = [](uint64_t seed) {
    return Subject(std::make_shared<Moody>(static_cast<double>(seed)));
  };
  return verified;
}

TEST_CASE("a model that answers otherwise in training, or to noise in eval mode, is caught",
          "[inspect][verify][property]") {
  const auto model = std::make_shared<Moody>(0.0);
  REQUIRE(check_modes(moody(model)).result() == "pass");
  model->in_training = 0.1;
  REQUIRE(check_modes(moody(model)).failed());
  model->in_training = 0.0;
  model->with_noise = 0.1;
  REQUIRE(check_modes(moody(model)).failed());
}

TEST_CASE("dropout that does nothing is caught, and without any the check does not apply",
          "[inspect][verify][property]") {
  auto idle = moody(std::make_shared<Moody>(0.0));
  idle.config.dropout = 0.3;
  REQUIRE(check_dropout(idle).failed());
  REQUIRE(check_dropout(test::small_model("translate")).result() == "pass");
  const auto none = test::small_model("translate", [](auto& model) { model.dropout = 0.0; });
  REQUIRE(check_dropout(none).reason == "model.dropout and model.attention.dropout are 0");
}

TEST_CASE("what is not saved shows after reloading", "[inspect][verify][property]") {
  REQUIRE(check_reload(moody(std::make_shared<Moody>(0.0))).failed());
  REQUIRE(*check_reload(test::small_model("translate")).measured == 0.0);
  REQUIRE(*check_reload(test::small_model("classify")).measured == 0.0);
}

TEST_CASE("a cache that forgets shows in the decoding", "[inspect][verify][property]") {
  REQUIRE(check_cached(test::planted({})).result() == "pass");
  REQUIRE(check_cached(test::planted({.decoder = test::MaskFault::kFirstRowForAll})).failed());
  REQUIRE(check_cached(test::small_model("classify")).reason == "a classifier writes no text");
}

TEST_CASE("training mode ends with its object, and gradients with it", "[inspect][verify][unit]") {
  const auto verified = test::small_model("classify");
  auto& module = verified.model.module();
  {
    const TrainingMode training(module);
    REQUIRE(module.is_training());
    module.parameters().front().square().sum().backward();
    REQUIRE(module.parameters().front().grad().defined());
  }
  REQUIRE_FALSE(module.is_training());
  REQUIRE_FALSE(module.parameters().front().grad().defined());
}

}  // namespace
}  // namespace heed::inspect
