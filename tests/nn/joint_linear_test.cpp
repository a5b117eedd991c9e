#include "nn/joint_linear.h"

#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

std::vector<Linear> make_layers(bool bias) {
  std::vector<Linear> layers;
  for (const int64_t out : {6, 2, 4}) {
    layers.emplace_back(LinearOptions{.in = 5, .out = out, .bias = bias});
    const torch::NoGradGuard no_grad;
    if (bias) layers.back()->parameters()[1].normal_();
  }
  return layers;
}

bool lie_adjacent(const std::vector<Linear>& layers) {
  const auto* end = layers[0]->weight().data_ptr<float>();
  for (const auto& layer : layers) {
    if (layer->weight().data_ptr<float>() != end) return false;
    end += layer->weight().numel();
  }
  return true;
}

torch::Tensor loss_of(const std::vector<torch::Tensor>& results) {
  torch::Tensor loss = torch::zeros({}, results[0].options());
  double weight = 1.0;
  for (const auto& result : results) loss = loss + (weight++ * result * result).sum();
  return loss;
}

TEST_CASE("one multiplication gives what each layer gives, gradients too",
          "[nn][joint_linear][property]") {
  const auto bias = GENERATE(true, false);
  const auto adjacent = GENERATE(true, false);
  const auto seed = GENERATE(range(0, 5));
  CAPTURE(bias, adjacent, seed);
  torch::manual_seed(seed);
  auto layers = make_layers(bias);
  std::vector<torch::Tensor> before;
  for (const auto& layer : layers) before.push_back(layer->weight().clone());
  if (adjacent) make_adjacent(layers);
  REQUIRE(lie_adjacent(layers) == adjacent);
  for (std::size_t i = 0; i < 3; ++i) REQUIRE(torch::equal(layers[i]->weight(), before[i]));

  const auto x = torch::randn({2, 3, 5}).requires_grad_();
  const auto joint = joint_linear(x, layers);
  std::vector<torch::Tensor> single;
  for (const auto& layer : layers) single.push_back(layer->forward(x));
  std::vector<torch::Tensor> leaves = {x};
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(test::max_diff(joint[i], single[i]) < 1e-6);
    for (const auto& parameter : layers[i]->parameters()) leaves.push_back(parameter);
  }
  const auto gradients = torch::autograd::grad({loss_of(joint)}, leaves);
  const auto expected = torch::autograd::grad({loss_of(single)}, leaves);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    REQUIRE(test::max_diff(gradients[i], expected[i]) < 1e-4);
  }
}

TEST_CASE("two neighbors of three are adjacent; others, or one twice, are computed alone",
          "[nn][joint_linear][unit]") {
  torch::manual_seed(1);
  const auto layers = make_layers(true);
  make_adjacent(layers);
  const auto x = torch::randn({4, 5});
  for (const auto& chosen :
       {std::vector<Linear>{layers[1], layers[2]}, std::vector<Linear>{layers[0], layers[2]},
        std::vector<Linear>{layers[2], layers[1]}, std::vector<Linear>{layers[1], layers[1]}}) {
    const auto joint = joint_linear(x, chosen);
    for (std::size_t i = 0; i < 2; ++i) {
      REQUIRE(test::max_diff(joint[i], chosen[i]->forward(x)) < 1e-6);
    }
  }
}

TEST_CASE("an update in place shows in the joint multiplication", "[nn][joint_linear][unit]") {
  torch::manual_seed(1);
  const auto layers = make_layers(true);
  make_adjacent(layers);
  const torch::NoGradGuard no_grad;
  layers[1]->parameters()[0].mul_(3.0);
  const auto x = torch::randn({4, 5});
  REQUIRE(test::max_diff(joint_linear(x, layers)[1], layers[1]->forward(x)) < 1e-6);
}

TEST_CASE("under bf16 autocast weights get fp32 gradients near the exact ones",
          "[nn][joint_linear][unit]") {
  torch::manual_seed(1);
  const auto layers = make_layers(true);
  make_adjacent(layers);
  const auto x = torch::randn({4, 5});
  loss_of(joint_linear(x, layers)).backward();
  const auto exact = layers[0]->weight().grad().clone();
  layers[0]->weight().mutable_grad().reset();

  at::autocast::set_autocast_dtype(torch::kCPU, torch::kBFloat16);
  at::autocast::set_autocast_enabled(torch::kCPU, true);
  const auto results = joint_linear(x, layers);
  at::autocast::set_autocast_enabled(torch::kCPU, false);
  REQUIRE(results[0].scalar_type() == torch::kBFloat16);
  std::vector<torch::Tensor> wide;
  for (const auto& result : results) wide.push_back(result.to(torch::kFloat));
  loss_of(wide).backward();
  const auto gradient = layers[0]->weight().grad();
  REQUIRE(gradient.scalar_type() == torch::kFloat);
  REQUIRE(test::max_diff(gradient, exact) < 0.03 * exact.abs().max().item<double>());
}

}  // namespace
}  // namespace heed::nn
