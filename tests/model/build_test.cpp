#include "model/build.h"

#include <cmath>

#include "base/error.h"
#include "model/examples.h"
#include "model/transformer.h"
#include "nn/dropout.h"

namespace heed::model {
namespace {

bool equal_models(const torch::nn::Module& a, const torch::nn::Module& b) {
  const auto left = a.parameters();
  const auto right = b.parameters();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!torch::equal(left[i], right[i])) return false;
  }
  return left.size() == right.size();
}

TEST_CASE("the same seed builds the same model, another one another", "[model][build][property]") {
  const auto seed = GENERATE(range(0, 3));
  const auto config = test::small_config();
  const auto build = [&](uint64_t s) {
    return build_encoder_decoder(config, test::translator_sizes(), s);
  };
  const auto first = build(seed);
  REQUIRE(first->is_training());
  REQUIRE(equal_models(*first, *build(seed)));
  REQUIRE_FALSE(equal_models(*first, *build(seed + 1)));
}

TEST_CASE("building leaves the caller's generator as it was", "[model][build][unit]") {
  torch::manual_seed(5);
  const auto expected = torch::randn({3});
  torch::manual_seed(5);
  build_classifier(test::small_config(), test::classifier_sizes(), 9);
  REQUIRE(torch::equal(torch::randn({3}), expected));
}

TEST_CASE("no two layers begin with the same weights, nor do projections of one layer",
          "[model][build][property]") {
  const auto seed = GENERATE(range(0, 3));
  auto config = test::small_config();
  config.enc_layers = 3;
  config.dec_layers = 3;
  const auto model = build_encoder_decoder(config, test::translator_sizes(), seed);
  std::vector<std::pair<std::string, torch::Tensor>> matrices;
  for (const auto& parameter : model->named_parameters()) {
    if (parameter->dim() == 2) matrices.emplace_back(parameter.key(), *parameter);
  }
  REQUIRE(matrices.size() > 30);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      CAPTURE(matrices[i].first, matrices[j].first);
      if (matrices[i].second.sizes() != matrices[j].second.sizes()) continue;
      REQUIRE(test::max_diff(matrices[i].second, matrices[j].second) > 1e-2);
    }
  }
}

TEST_CASE("projections begin within Xavier's bound", "[model][build][unit]") {
  config::Model config{.d_model = 64, .heads = 4, .d_ff = 128, .enc_layers = 1, .dec_layers = 1};
  const auto model = build_encoder_decoder(config, test::translator_sizes(), 1);
  for (const auto& parameter : model->named_parameters()) {
    const bool drawn = parameter->dim() == 2 && parameter.key().find("embed") == std::string::npos;
    if (!drawn) continue;
    CAPTURE(parameter.key());
    const double sum = static_cast<double>(parameter->size(0) + parameter->size(1));
    const double bound = std::sqrt(6.0 / sum);
    REQUIRE(parameter->abs().max().item<double>() <= bound);
    REQUIRE(std::abs(parameter->std().item<double>() / (bound / std::sqrt(3.0)) - 1.0) < 0.1);
  }
}

TEST_CASE("every dropout of a model draws noise of its own", "[model][build][unit]") {
  const auto model = build_encoder_decoder(test::small_config(), test::translator_sizes(), 1);
  const nn::Noise noise{.seed = 1, .step = 1, .examples = torch::arange(2)};
  const auto ones = torch::ones({2, 16, 32});
  std::vector<torch::Tensor> masks;
  for (const auto& module : model->modules()) {
    const auto* dropout = dynamic_cast<nn::DropoutImpl*>(module.get());
    if (!dropout || dropout->p() == 0.0) continue;
    masks.push_back(dropout->forward(ones, &noise));
    for (std::size_t i = 0; i + 1 < masks.size(); ++i) {
      REQUIRE_FALSE(torch::equal(masks[i], masks.back()));
    }
  }
  REQUIRE(masks.size() == 2 + 2 * 3 + 2 * 4);
}

TEST_CASE("parameters carry the common public names", "[model][build][unit]") {
  auto config = test::small_config();
  config.positions = "learned";
  const auto names = build_encoder_decoder(config, test::translator_sizes(), 1)->named_parameters();
  for (const auto* name :
       {"encoder.embed_tokens.weight", "encoder.layers.0.self_attn.q_proj.weight",
        "encoder.layers.1.feed_forward.fc2.bias", "encoder.layers.0.self_attn_layer_norm.weight",
        "encoder.layer_norm.weight", "encoder.input.positions.weight",
        "decoder.layers.0.self_attn.k_proj.bias", "decoder.layers.1.cross_attn.out_proj.weight",
        "decoder.layers.1.cross_attn_layer_norm.bias", "output_projection.weight"}) {
    CAPTURE(name);
    REQUIRE(names.contains(name));
  }
}

TEST_CASE("config and sizes that don't fit are refused in one line", "[model][build][unit]") {
  auto config = test::small_config();
  config.tie = "all";
  auto sizes = test::translator_sizes();
  sizes.target_pieces = 7;
  REQUIRE_THROWS_AS(build_encoder_decoder(config, sizes, 1), ConfigError);
  config = test::small_config();
  config.vocab_rows = 12;
  REQUIRE_THROWS_WITH(build_encoder_decoder(config, test::translator_sizes(), 1),
                      test::ContainsSubstring("12 rows are too few for a vocabulary of 13 pieces"));
  REQUIRE_THROWS_WITH(build_classifier(config, test::classifier_sizes(), 1),
                      test::ContainsSubstring("12 rows are too few for a vocabulary of 13 pieces"));
  config.vocab_rows = 0;
  config.d_model = 9;
  REQUIRE_THROWS_WITH(build_classifier(config, test::classifier_sizes(), 1),
                      "model.heads: 2 heads do not divide model.d_model, which is 9");
}

}  // namespace
}  // namespace heed::model
