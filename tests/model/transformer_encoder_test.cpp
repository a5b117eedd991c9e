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

TEST_CASE("global tokens are seen wherever they stand", "[model][transformer_encoder][unit]") {
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  auto config = test::small_config();
  config.attention.type = "longformer";
  config.attention.window = 1;
  const nn::Embedding embedding(nn::EmbeddingOptions{.rows = test::kPieces, .d_model = 8});
  TransformerEncoder encoder(config, embedding, 9, std::vector<int64_t>{7});
  encoder->eval();
  Trace trace;
  const auto ids = torch::tensor({5, 5, 5, 5, 7, 5, 5, 5, 6, 7, 6, 6, 6, 6, 6, 6}).view({2, 8});
  encoder->forward({.ids = ids, .lengths = torch::full({2}, 8, torch::kLong), .trace = &trace});
  const auto seen = trace.layers[1].parts.weights.select(1, 0) > 0;  // [B, Tq, Tk]
  REQUIRE(seen[0][0][4].item<bool>());
  REQUIRE(seen[0][4].all().item<bool>());
  REQUIRE_FALSE(seen[0][0][6].item<bool>());
  REQUIRE(seen[1][6][1].item<bool>());
  REQUIRE_FALSE(seen[1][6][4].item<bool>());
}

}  // namespace
}  // namespace heed::model
