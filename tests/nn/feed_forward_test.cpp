#include "nn/feed_forward.h"

#include <cmath>

#include "nn/family_golden.h"

namespace heed::nn {
namespace {

TEST_CASE("feed-forward is two layers around its activation", "[nn][feed_forward][property]") {
  const auto gelu = GENERATE(false, true);
  const auto seed = GENERATE(range(0, 5));
  torch::manual_seed(seed);
  const auto activation = gelu ? Activation::kGelu : Activation::kRelu;
  const FeedForward block(FeedForwardOptions{.d_model = 4, .d_ff = 10, .activation = activation});
  const auto p = block->named_parameters();
  const auto x = torch::randn({2, 3, 4});
  const auto hidden = torch::linear(x, p["fc1.weight"], p["fc1.bias"]);
  const auto active =
      gelu ? hidden * 0.5 * (1.0 + torch::erf(hidden / std::sqrt(2.0))) : hidden.clamp_min(0.0);
  const auto expected = torch::linear(active, p["fc2.weight"], p["fc2.bias"]);
  REQUIRE(test::max_diff(block->forward(x, nullptr), expected) < 1e-5);
}

TEST_CASE("SwiGLU and its gradients equal LLaMA's", "[nn][feed_forward][golden]") {
  const auto golden = test::family_golden().at("swiglu");
  const std::map<std::string, std::string> names{{"gate.weight", "gate_proj.weight"},
                                                 {"fc1.weight", "up_proj.weight"},
                                                 {"fc2.weight", "down_proj.weight"}};
  FeedForward block(
      FeedForwardOptions{.d_model = 8, .d_ff = 10, .activation = Activation::kSwiglu});
  test::copy_named(*block, names, golden.at("parameters"));
  const auto x = test::golden_input(golden, "x");
  const auto output = block->forward(x, nullptr);
  REQUIRE(test::max_diff(output, test::golden_tensor(golden.at("output"))) < 1e-5);
  (output * test::golden_tensor(golden.at("output_weight"))).sum().backward();
  REQUIRE(test::max_diff(x.grad(), test::golden_tensor(golden.at("input_gradients").at("x"))) <
          1e-5);
  test::require_gradients(*block, names, golden.at("parameter_gradients"));
}

TEST_CASE("feed-forward drops hidden features", "[nn][feed_forward][unit]") {
  torch::manual_seed(1);
  const FeedForward block(FeedForwardOptions{.d_model = 4, .d_ff = 10, .dropout = 0.5});
  const auto x = torch::randn({2, 3, 4});
  const Noise noise{.seed = 1, .step = 1, .examples = torch::arange(2)};
  REQUIRE(test::max_diff(block->forward(x, &noise), block->forward(x, nullptr)) > 1e-3);
}

}  // namespace
}  // namespace heed::nn
