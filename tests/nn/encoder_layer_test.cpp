#include "nn/encoder_layer.h"

#include "nn/attention/multi_head.h"
#include "nn/attention/scaled_dot_product.h"
#include "nn/family_golden.h"

namespace heed::nn {
namespace {

std::shared_ptr<Attention> encoder_attention(int64_t d_model, int64_t heads) {
  const MultiHeadOptions options{.d_model = d_model, .heads = heads};
  return std::make_shared<MultiHeadAttentionImpl>(options,
                                                  std::make_shared<ScaledDotProductImpl>());
}

std::map<std::string, test::Same> encoder_names() {
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
  EncoderLayer layer(options, encoder_attention(8, 2));
  test::copy_golden(*layer, encoder_names(), golden);

  const auto x = test::golden_input(golden, "x");
  const Visible visible{.lengths = torch::tensor({4, 3}, torch::kLong)};
  const auto output = layer->forward({.x = x, .visible = visible});
  // PyTorch attends from padding as well, so even padded positions agree.
  test::require_golden(output, *layer, {{"x", x}}, encoder_names(), golden);
}

TEST_CASE("with RMSNorm, rotary positions, shared key heads and SwiGLU it is a layer of LLaMA",
          "[nn][encoder_layer][golden]") {
  const auto golden = test::family_golden().at("llama_layer");
  const std::map<std::string, std::string> names{
      {"self_attn.q_proj.weight", "self_attn.q_proj.weight"},
      {"self_attn.k_proj.weight", "self_attn.k_proj.weight"},
      {"self_attn.v_proj.weight", "self_attn.v_proj.weight"},
      {"self_attn.out_proj.weight", "self_attn.o_proj.weight"},
      {"self_attn_layer_norm.weight", "input_layernorm.weight"},
      {"feed_forward_layer_norm.weight", "post_attention_layernorm.weight"},
      {"feed_forward.gate.weight", "mlp.gate_proj.weight"},
      {"feed_forward.fc1.weight", "mlp.up_proj.weight"},
      {"feed_forward.fc2.weight", "mlp.down_proj.weight"}};
  const MultiHeadOptions heads{.d_model = 8, .heads = 4, .kv_heads = 2, .head_dim = 6};
  const AngleOptions angles{.width = 6, .base = 100.0};
  EncoderLayer layer(LayerOptions{.d_model = 8,
                                  .d_ff = 10,
                                  .norm = NormOptions::Type::kRms,
                                  .activation = Activation::kSwiglu},
                     std::make_shared<MultiHeadAttentionImpl>(
                         heads, std::make_shared<ScaledDotProductImpl>(),
                         AttentionPositions{.rotary = std::make_shared<RotaryImpl>(angles)}));
  test::copy_named(*layer, names, golden.at("parameters"));

  const auto x = test::golden_input(golden, "x");
  const auto output = layer->forward({.x = x, .visible = {.causal = true}});
  REQUIRE(test::max_diff(output, test::golden_tensor(golden.at("output"))) < 2e-5);
  (output * test::golden_tensor(golden.at("output_weight"))).sum().backward();
  const auto expected = test::golden_tensor(golden.at("input_gradients").at("x"));
  REQUIRE(test::max_diff(x.grad(), expected) < 1e-5 * (1.0 + expected.abs().max().item<double>()));
  test::require_gradients(*layer, names, golden.at("parameter_gradients"));
}

TEST_CASE("without a way around, a layer forgets its input's offset", "[nn][encoder_layer][unit]") {
  torch::manual_seed(1);
  EncoderLayer layer(LayerOptions{.d_model = 8, .d_ff = 16, .residual = false},
                     encoder_attention(8, 2));
  const auto x = torch::randn({2, 3, 8});
  REQUIRE(test::max_diff(layer->forward({.x = x}), layer->forward({.x = x + 5.0})) < 1e-4);
  EncoderLayer usual(LayerOptions{.d_model = 8, .d_ff = 16}, encoder_attention(8, 2));
  REQUIRE(test::max_diff(usual->forward({.x = x}) + 5.0, usual->forward({.x = x + 5.0})) < 1e-4);
}

TEST_CASE("train and eval mode of an encoder layer differ by dropout only",
          "[nn][encoder_layer][property]") {
  const auto seed = GENERATE(range(0, 5));
  torch::manual_seed(seed);
  EncoderLayer layer(LayerOptions{.d_model = 8, .d_ff = 16, .dropout = 0.5},
                     encoder_attention(8, 2));
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
