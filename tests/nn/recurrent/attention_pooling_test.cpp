#include "nn/recurrent/attention_pooling.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

TEST_CASE("a text is the mean of its tokens by the weights of the formula",
          "[nn][attention_pooling][property]") {
  const auto seed = GENERATE(range(0, 3));
  torch::manual_seed(seed);
  const AttentionPooling pooling(AttentionPoolingOptions{.d_model = 6});
  const auto x = torch::randn({3, 4, 6});
  const std::vector<int64_t> lengths{4, 2, 1};
  AttentionParts parts;
  const auto pooled = pooling->forward(x, torch::tensor(lengths), &parts, nullptr);
  REQUIRE(pooled.sizes() == torch::IntArrayRef({3, 6}));
  REQUIRE(parts.weights.sizes() == torch::IntArrayRef({3, 1, 1, 4}));
  const auto named = pooling->named_parameters();
  for (int64_t b = 0; b < 3; ++b) {
    const auto real = x[b].narrow(0, 0, lengths[static_cast<std::size_t>(b)]);
    const auto hidden =
        torch::tanh(torch::linear(real, named["key_proj.weight"], named["key_proj.bias"]));
    const auto weights = torch::mv(hidden, named["score_weight"]).softmax(0);
    REQUIRE(test::max_diff(pooled[b], torch::mv(real.t(), weights)) < 1e-6);
  }
  REQUIRE(parts.weights[1].narrow(-1, 2, 2).abs().max().item<double>() == 0.0);
}

TEST_CASE("an empty text is zeros and leaves every gradient finite",
          "[nn][attention_pooling][unit]") {
  torch::manual_seed(1);
  const AttentionPooling pooling(AttentionPoolingOptions{.d_model = 6});
  const auto x = torch::randn({2, 3, 6}).requires_grad_();
  const auto pooled = pooling->forward(x, torch::tensor({0, 2}, torch::kLong), nullptr, nullptr);
  REQUIRE(pooled[0].abs().max().item<double>() == 0.0);
  pooled.square().sum().backward();
  REQUIRE(x.grad().isfinite().all().item<bool>());
  for (const auto& parameter : pooling->parameters()) {
    REQUIRE(parameter.grad().isfinite().all().item<bool>());
  }
}

TEST_CASE("weights are dropped in training, and those shown are from before",
          "[nn][attention_pooling][unit]") {
  torch::manual_seed(2);
  AttentionPooling pooling(AttentionPoolingOptions{.d_model = 6, .dropout = 0.5});
  const Noise noise{.seed = 1, .step = 1, .examples = torch::arange(8)};
  const auto x = torch::randn({8, 5, 6});
  const auto plain = pooling->forward(x, {}, nullptr, nullptr);
  AttentionParts parts;
  const auto dropped = pooling->forward(x, {}, &parts, &noise);
  REQUIRE(test::max_diff(parts.weights.sum(-1), torch::ones({8, 1, 1})) < 1e-6);
  REQUIRE(test::max_diff(torch::matmul(parts.weights.squeeze(1), x).squeeze(1), plain) < 1e-6);
  REQUIRE(test::max_diff(dropped, plain) > 1e-2);
  pooling->eval();
  REQUIRE(torch::equal(pooling->forward(x, {}, nullptr, &noise), plain));
}

}  // namespace
}  // namespace heed::nn
