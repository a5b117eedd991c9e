#include "model/transformer_encoder.h"

#include "model/examples.h"

namespace heed::model {
namespace {

TEST_CASE("lengths are full when none is below T", "[model][transformer_encoder][unit]") {
  REQUIRE(all_full(torch::tensor({3, 3}, torch::kLong), 3));
  REQUIRE(all_full(torch::empty({0}, torch::kLong), 3));
  REQUIRE_FALSE(all_full(torch::tensor({3, 2}, torch::kLong), 3));
  REQUIRE(all_full(torch::tensor({3, 1, 3, 1}, torch::kLong).slice(0, 0, 4, 2), 3));
}

TEST_CASE("pre-norm ends with a norm, post-norm has none of its own",
          "[model][transformer_encoder][unit]") {
  const auto norm = GENERATE("pre", "post");
  torch::manual_seed(1);
  auto config = test::small_config();
  config.norm_position = norm;
  const nn::Embedding embedding(nn::EmbeddingOptions{.rows = test::kPieces, .d_model = 8});
  const TransformerEncoder encoder(config, embedding, 9);
  REQUIRE(encoder->named_parameters().contains("layer_norm.weight") ==
          (config.norm_position == "pre"));
  const auto features = encoder->forward(test::random_sequences({4, 2}, 4));
  // either way the last thing done is a norm with weight 1 and bias 0
  REQUIRE(features.mean(-1).abs().max().item<double>() < 1e-5);
}

}  // namespace
}  // namespace heed::model
