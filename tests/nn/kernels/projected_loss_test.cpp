#include "nn/kernels/projected_loss.h"

#include <cmath>

#include "nn/golden.h"

namespace heed::nn {
namespace {

struct Leaves {
  torch::Tensor features, weight, bias, targets;
};

Leaves make_leaves(int64_t rows, int64_t pieces, bool has_bias,
                   torch::ScalarType type = torch::kFloat) {
  return {
      .features = torch::randn({rows, 6}, type).requires_grad_(),
      .weight = torch::randn({pieces, 6}, type).requires_grad_(),
      .bias = has_bias ? torch::randn({pieces}, type).requires_grad_() : torch::Tensor(),
      .targets = torch::randint(0, pieces, {rows}, torch::kLong),
  };
}

Leaves twin(const Leaves& x) {
  const auto copy = [](const torch::Tensor& leaf) {
    return leaf.defined() ? leaf.detach().clone().requires_grad_() : leaf;
  };
  return {copy(x.features), copy(x.weight), copy(x.bias), x.targets};
}

TEST_CASE("the fused loss and its gradients equal the plain formula's",
          "[nn][projected_loss][property]") {
  const auto rows = GENERATE(1, 2, 255, 256, 257, 600);
  const auto pieces = GENERATE(1, 2, 15, 16, 77);
  const auto has_bias = GENERATE(false, true);
  const auto smoothing = GENERATE(0.0, 0.1);
  const auto type = GENERATE(torch::kFloat, torch::kDouble);
  CAPTURE(rows, pieces, has_bias, smoothing, type);
  torch::manual_seed(rows);
  const auto a = make_leaves(rows, pieces, has_bias, type);
  const auto b = twin(a);
  const auto fused = projected_loss(a.features, a.weight, a.bias, a.targets, smoothing);
  const auto plain = projected_loss_explicit(b.features, b.weight, b.bias, b.targets, smoothing);

  const double size = 1.0 + plain.loss.abs().item<double>();
  REQUIRE(test::max_diff(fused.loss, plain.loss) < 1e-6 * size);
  REQUIRE(test::max_diff(fused.nll, plain.nll) < 1e-6 * size);
  REQUIRE(fused.correct.item<int64_t>() == plain.correct.item<int64_t>());
  REQUIRE_FALSE(fused.nll.requires_grad());

  (fused.loss * 0.25).backward();
  (plain.loss * 0.25).backward();
  REQUIRE(test::max_diff(a.features.grad(), b.features.grad()) < 1e-5);
  REQUIRE(test::max_diff(a.weight.grad(), b.weight.grad()) < 1e-5 * rows);
  if (has_bias) REQUIRE(test::max_diff(a.bias.grad(), b.bias.grad()) < 1e-5 * rows);
}

TEST_CASE("the fused loss and its gradients equal PyTorch's cross entropy",
          "[nn][projected_loss][golden]") {
  const auto golden = test::nn_golden().at("loss");
  const auto targets = torch::tensor(golden.at("targets").get<std::vector<int64_t>>());
  for (const auto& expected : golden.at("cases")) {
    CAPTURE(expected.at("smoothing").get<double>());
    const std::vector<torch::Tensor> leaves = {
        test::golden_tensor(golden.at("features")).requires_grad_(),
        test::golden_tensor(golden.at("weight")).requires_grad_(),
        test::golden_tensor(golden.at("bias")).requires_grad_()};
    const auto sums = projected_loss(leaves[0], leaves[1], leaves[2], targets,
                                     expected.at("smoothing").get<double>());
    REQUIRE(std::abs(sums.loss.item<double>() - expected.at("loss").get<double>()) < 1e-4);
    REQUIRE(std::abs(sums.nll.item<double>() - expected.at("nll").get<double>()) < 1e-4);
    REQUIRE(sums.correct.item<int64_t>() == expected.at("correct").get<int64_t>());
    sums.loss.backward();
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const auto gradient = test::golden_tensor(expected.at("gradients").at(i));
      REQUIRE(test::max_diff(leaves[i].grad(), gradient) < 1e-5);
    }
  }
}

TEST_CASE("smoothing spreads over the vocabulary and counts no padding",
          "[nn][projected_loss][unit]") {
  // features W^T with W = identity are the logits themselves
  const auto p = torch::tensor({{0.1, 0.2, 0.7}, {0.3, 0.3, 0.4}}).to(torch::kFloat);
  const auto targets = torch::tensor({2, 0}, torch::kLong);
  const auto plain = projected_loss(p.log(), torch::eye(3), {}, targets, 0.0);
  REQUIRE(std::abs(plain.loss.item<double>() / 2 - 0.780324) < 1e-6);
  const auto smooth = projected_loss(p.log(), torch::eye(3), {}, targets, 0.1);
  REQUIRE(std::abs(smooth.loss.item<double>() - 1.657681) < 1e-5);
  REQUIRE(std::abs(smooth.loss.item<double>() / 2 - 0.828840) < 1e-5);
  REQUIRE(std::abs(smooth.nll.item<double>() / 2 - 0.780324) < 1e-6);
  REQUIRE(smooth.correct.item<int64_t>() == 1);
}

TEST_CASE("no row gives zero loss and zero gradients", "[nn][projected_loss][unit]") {
  const auto leaves = make_leaves(0, 5, true);
  const auto sums =
      projected_loss(leaves.features, leaves.weight, leaves.bias, leaves.targets, 0.1);
  REQUIRE(sums.loss.item<double>() == 0.0);
  REQUIRE(sums.nll.item<double>() == 0.0);
  REQUIRE(sums.correct.item<int64_t>() == 0);
  sums.loss.backward();
  REQUIRE(leaves.weight.grad().abs().max().item<double>() == 0.0);
  REQUIRE(leaves.bias.grad().abs().max().item<double>() == 0.0);
}

TEST_CASE("float64 gradients of the fused loss equal finite differences",
          "[nn][projected_loss][property]") {
  const auto seed = GENERATE(range(0, 3));
  torch::manual_seed(seed);
  const auto leaves = make_leaves(3, 5, true, torch::kDouble);
  const auto loss = [&] {
    return projected_loss(leaves.features, leaves.weight, leaves.bias, leaves.targets, 0.1).loss;
  };
  loss().backward();
  const torch::NoGradGuard no_grad;
  constexpr double kStep = 1e-5;
  for (const auto& leaf : {leaves.features, leaves.weight, leaves.bias}) {
    for (int64_t i = 0; i < leaf.numel(); ++i) {
      auto element = leaf.view(-1)[i];
      element += kStep;
      const double above = loss().item<double>();
      element -= 2 * kStep;
      const double below = loss().item<double>();
      element += kStep;
      const double gradient = leaf.grad().view(-1)[i].item<double>();
      REQUIRE(std::abs((above - below) / (2 * kStep) - gradient) < 1e-7);
    }
  }
}

TEST_CASE("a non-finite feature makes the loss non-finite", "[nn][projected_loss][unit]") {
  const auto bad = GENERATE(std::nanf(""), INFINITY, -INFINITY);
  const auto features = torch::ones({2, 20});
  features[1][3] = bad;
  const auto sums = projected_loss(features, torch::randn({33, 20}), {},
                                   torch::tensor({1, 2}, torch::kLong), 0.1);
  REQUIRE_FALSE(std::isfinite(sums.loss.item<double>()));
}

}  // namespace
}  // namespace heed::nn
