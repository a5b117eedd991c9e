#include "nn/recompute.h"

#include "nn/attention/multi_head.h"
#include "nn/attention/scaled_dot_product.h"
#include "nn/encoder_layer.h"
#include "nn/noise.h"
#include "support/catch.h"

namespace heed::nn {
namespace {

EncoderLayer make_layer() {
  const LayerOptions options{.d_model = 8, .d_ff = 16, .dropout = 0.3};
  const auto core = std::make_shared<ScaledDotProductImpl>(ScaledDotProductOptions{.dropout = 0.2});
  return EncoderLayer(options, std::make_shared<MultiHeadAttentionImpl>(
                                   MultiHeadOptions{.d_model = 8, .heads = 2}, core));
}

struct Result {
  torch::Tensor output;
  torch::Tensor of_input;
  std::vector<torch::Tensor> of_parameters;
};

Result run(EncoderLayer& layer, const torch::Tensor& x, const Noise& noise, bool again) {
  layer->zero_grad();
  const auto input = x.detach().clone().set_requires_grad(x.requires_grad());
  const auto plain = [&](const std::vector<torch::Tensor>& inputs) {
    return layer->forward({.x = inputs[0], .noise = &noise});
  };
  Result result{.output = again ? recompute(plain, {input}) : plain({input}),
                .of_input = {},
                .of_parameters = {}};
  result.output.square().sum().backward();
  result.of_input = input.grad();
  for (const auto& parameter : layer->parameters()) {
    result.of_parameters.push_back(parameter.grad().clone());
  }
  return result;
}

TEST_CASE("a layer that is computed again gives the same to the bit, dropout included",
          "[nn][recompute][property]") {
  const auto seed = GENERATE(range(0, 5));
  const bool of_input = GENERATE(true, false);  // false: only parameters need a gradient
  CAPTURE(seed, of_input);
  torch::manual_seed(seed);
  auto layer = make_layer();
  const auto x = torch::randn({3, 5, 8}).set_requires_grad(of_input);
  const Noise noise{.seed = 3, .step = 7, .examples = torch::arange(3)};
  const auto plain = run(layer, x, noise, false);
  const auto again = run(layer, x, noise, true);
  REQUIRE(torch::equal(plain.output, again.output));
  if (of_input) REQUIRE(torch::equal(plain.of_input, again.of_input));
  for (std::size_t i = 0; i < plain.of_parameters.size(); ++i) {
    REQUIRE(torch::equal(plain.of_parameters[i], again.of_parameters[i]));
  }
}

TEST_CASE("nothing inside is kept for the backward pass", "[nn][recompute][unit]") {
  int64_t calls = 0;
  const auto weight = torch::ones({4, 4}).set_requires_grad(true);
  const auto layer = [&](const std::vector<torch::Tensor>& inputs) {
    ++calls;
    return torch::matmul(inputs[0], weight).tanh().exp();
  };
  const auto x = torch::ones({2, 4}).set_requires_grad(true);
  const auto y = recompute(layer, {x});
  REQUIRE(calls == 1);
  y.sum().backward();
  REQUIRE(calls == 2);
  REQUIRE(x.grad().defined());
  REQUIRE(weight.grad().defined());
  const torch::NoGradGuard no_grad;
  recompute(layer, {x});
  REQUIRE(calls == 3);
}

}  // namespace
}  // namespace heed::nn
