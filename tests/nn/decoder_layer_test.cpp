#include "nn/decoder_layer.h"

#include "nn/attention/multi_head.h"
#include "nn/attention/scaled_dot_product.h"
#include "nn/golden.h"

namespace heed::nn {
namespace {

std::shared_ptr<Attention> decoder_attention(int64_t d_model, int64_t heads) {
  const MultiHeadOptions options{.d_model = d_model, .heads = heads};
  return std::make_shared<MultiHeadAttentionImpl>(options,
                                                  std::make_shared<ScaledDotProductImpl>());
}

std::map<std::string, test::Same> decoder_names() {
  std::map<std::string, test::Same> names;
  test::name_attention(names, "self_attn.", "self_attn.");
  test::name_attention(names, "cross_attn.", "multihead_attn.");
  test::name_pair(names, "feed_forward.fc1", "linear1");
  test::name_pair(names, "feed_forward.fc2", "linear2");
  test::name_pair(names, "self_attn_layer_norm", "norm1");
  test::name_pair(names, "cross_attn_layer_norm", "norm2");
  test::name_pair(names, "feed_forward_layer_norm", "norm3");
  return names;
}

TEST_CASE("a decoder layer and its gradients equal PyTorch's", "[nn][decoder_layer][golden]") {
  const auto norm_first = GENERATE(true, false);
  const auto gelu = GENERATE(true, false);
  const auto name =
      std::string("decoder_") + (norm_first ? "pre_" : "post_") + (gelu ? "gelu" : "relu");
  CAPTURE(name);
  const auto golden = test::nn_golden().at("layers").at(name);
  const LayerOptions options{.d_model = 8,
                             .d_ff = 12,
                             .norm_first = norm_first,
                             .activation = gelu ? Activation::kGelu : Activation::kRelu};
  DecoderLayer layer(options, decoder_attention(8, 2), decoder_attention(8, 2));
  test::copy_golden(*layer, decoder_names(), golden);

  const auto x = test::golden_input(golden, "x");
  const auto memory = test::golden_input(golden, "memory");
  const auto lengths = torch::tensor({4, 3}, torch::kLong);
  const auto output = layer->forward({.x = x, .memory = memory, .memory_lengths = lengths});
  test::require_golden(output, *layer, {{"x", x}, {"memory", memory}}, decoder_names(), golden);
}

TEST_CASE("steps of a decoder layer with caches equal the full pass",
          "[nn][decoder_layer][property]") {
  const auto norm_first = GENERATE(true, false);
  const auto seed = GENERATE(range(0, 5));
  CAPTURE(norm_first, seed);
  torch::manual_seed(seed);
  const torch::NoGradGuard no_grad;
  DecoderLayer layer(LayerOptions{.d_model = 8, .d_ff = 16, .norm_first = norm_first},
                     decoder_attention(8, 2), decoder_attention(8, 2));
  const auto x = torch::randn({3, 5, 8});
  const auto memory = torch::randn({3, 4, 8});
  const auto lengths = torch::tensor({4, 1, 2}, torch::kLong);
  const auto full = layer->forward({.x = x, .memory = memory, .memory_lengths = lengths});

  const auto own = layer->start(5, {});
  const auto source = layer->remember(memory, lengths, {});
  for (int64_t t = 0; t < 5; ++t) {
    const auto step =
        layer->forward({.x = x.narrow(1, t, 1), .cache = own.get(), .memory_cache = source.get()});
    REQUIRE(test::max_diff(step, full.narrow(1, t, 1)) < 1e-5);
  }
}

}  // namespace
}  // namespace heed::nn
