#include "nn/linear.h"

#include <cmath>

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

class Doubled final : public PackedWeight {
 public:
  explicit Doubled(torch::Tensor weight) : weight_(std::move(weight)) {}
  torch::Tensor multiply(const torch::Tensor& x) const override {
    return 2.0 * torch::matmul(x, weight_.t());
  }

 private:
  torch::Tensor weight_;
};

TEST_CASE("linear is x W^T + b, with and without bias", "[nn][linear][property]") {
  const auto bias = GENERATE(true, false);
  torch::manual_seed(1);
  const Linear linear(LinearOptions{.in = 5, .out = 3, .bias = bias});
  const auto x = torch::randn({2, 4, 5});
  auto expected = torch::matmul(x, linear->weight().t());
  if (bias) {
    const torch::NoGradGuard no_grad;
    linear->parameters()[1].normal_();
    expected = expected + linear->bias();
  }
  REQUIRE(test::max_diff(linear->forward(x), expected) < 1e-6);
}

TEST_CASE("weights begin uniform within Xavier's bound", "[nn][linear][property]") {
  const auto seed = GENERATE(range(0, 5));
  torch::manual_seed(seed);
  const Linear linear(LinearOptions{.in = 100, .out = 50});
  const double bound = std::sqrt(6.0 / 150.0);
  REQUIRE(linear->weight().abs().max().item<double>() <= bound);
  REQUIRE(std::abs(linear->weight().std().item<double>() - bound / std::sqrt(3.0)) < 0.005);
  REQUIRE(linear->bias().abs().max().item<double>() == 0.0);
}

TEST_CASE("each initialization has its spread", "[nn][linear][property]") {
  torch::manual_seed(1);
  const auto weight_of = [](Init init) {
    return Linear(LinearOptions{.in = 300, .out = 100, .init = init})->weight();
  };
  const auto require_std = [&](Init init, double std) {
    REQUIRE(std::abs(weight_of(init).std().item<double>() / std - 1.0) < 0.02);
  };
  require_std(Init::kXavierUniform, std::sqrt(2.0 / 400.0));
  require_std(Init::kXavierNormal, std::sqrt(2.0 / 400.0));
  require_std(Init::kKaiming, std::sqrt(2.0 / 300.0));
  require_std(Init::kSmall, std::sqrt(2.0 / 1500.0));
  REQUIRE(weight_of(Init::kKaiming).abs().max().item<double>() <= std::sqrt(6.0 / 300.0));
  const auto normal = weight_of(Init::kXavierNormal).abs().max().item<double>();
  REQUIRE(normal > std::sqrt(6.0 / 400.0));  // beyond the uniform bound
}

TEST_CASE("a packed weight multiplies in the parameter's place", "[nn][linear][unit]") {
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  Linear linear(LinearOptions{.in = 5, .out = 3});
  const auto x = torch::randn({4, 5});
  const auto before = linear->forward(x);
  linear->pack(std::make_shared<Doubled>(linear->weight().clone()));
  REQUIRE(linear->packed());
  REQUIRE(linear->weight().numel() == 0);
  REQUIRE(test::max_diff(linear->forward(x), 2.0 * before) < 1e-6);
}

}  // namespace
}  // namespace heed::nn
