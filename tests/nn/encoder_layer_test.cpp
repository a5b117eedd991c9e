#include "nn/encoder_layer.h"

#include "nn/attention/multi_head.h"
#include "nn/attention/scaled_dot_product.h"
#include "nn/golden.h"

namespace heed::nn {
namespace {

std::shared_ptr<Attention> attention(int64_t d_model, int64_t heads) {
  const MultiHeadOptions options{.d_model = d_model, .heads = heads};
  return std::make_shared<MultiHeadAttentionImpl>(options,
                                                  std::make_shared<ScaledDotProductImpl>());
}

std::map<std::string, test::Same> names() {
  std::map<std::string, test::Same> names;
  test::name_attention(names, "self_attn.", "self_attn.");
  test::name_pair(names, "feed_forward.fc1", "linear1");
  test::name_pair(names, "feed_forward.fc2", "linear2");
  test::name_pair(names, "self_attn_layer_norm", "norm1");
  test::name_pair(names, "feed_forward_layer_norm", "norm2");
  return names;
}

TEST_CASE("an encoder layer and its gradients equal PyTorch's", "[nn][encoder_layer][golden]") {
  const auto norm_first = GENERATE(true, false);
  const auto gelu = GENERATE(true, false);
  const auto name =
      std::string("encoder_") + (norm_first ? "pre_" : "post_") + (gelu ? "gelu" : "relu");
  CAPTURE(name);
  const auto golden = test::nn_golden().at("layers").at(name);
  const LayerOptions options{.d_model = 8,
                             .d_ff = 12,
                             .norm_first = norm_first,
                             .activation = gelu ? Activation::kGelu : Activation::kRelu};
  EncoderLayer layer(options, attention(8, 2));
  test::copy_golden(*layer, names(), golden);

  const auto x = test::golden_input(golden, "x");
  const Visible visible{.lengths = torch::tensor({4, 3}, torch::kLong)};
  const auto output = layer->forward({.x = x, .visible = visible});
  // PyTorch attends from padding as well, so even padded positions agree.
  test::require_golden(output, *layer, {{"x", x}}, names(), golden);
}

TEST_CASE("train and eval mode of an encoder layer differ by dropout only",
          "[nn][encoder_layer][property]") {
  const auto seed = GENERATE(range(0, 5));
  torch::manual_seed(seed);
  EncoderLayer layer(LayerOptions{.d_model = 8, .d_ff = 16, .dropout = 0.5}, attention(8, 2));
  number_dropout_sites(*layer);
  const auto x = torch::randn({2, 3, 8});
  const Noise noise{.seed = 1, .step = 2, .examples = torch::arange(2)};

  const auto plain = layer->forward({.x = x});
  REQUIRE(test::max_diff(layer->forward({.x = x, .noise = &noise}), plain) > 1e-3);
  layer->eval();
  REQUIRE(test::max_diff(layer->forward({.x = x, .noise = &noise}), plain) == 0.0);
}

}  // namespace
}  // namespace heed::nn
