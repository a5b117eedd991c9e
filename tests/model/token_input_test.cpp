#include "model/token_input.h"

#include "support/catch.h"
#include "support/close.h"

namespace heed::model {
namespace {

TEST_CASE("input is embedding plus position, from any position on", "[model][token_input][unit]") {
  torch::manual_seed(1);
  const nn::Embedding embedding(nn::EmbeddingOptions{.rows = 9, .d_model = 6});
  const TokenInput input(embedding, nn::PositionsOptions{.d_model = 6, .max_len = 8}, 0.5);
  const auto ids = torch::tensor({{1, 2, 3}, {4, 4, 8}}, torch::kLong);
  const auto expected = embedding->forward(ids) + nn::sinusoids(2, 3, {.width = 6});
  REQUIRE(test::max_diff(input->forward(ids, 2, nullptr), expected) < 1e-6);
  REQUIRE(input->parameters().empty());  // the embedding belongs to its owner
}

TEST_CASE("dropout acts on the sum", "[model][token_input][unit]") {
  const nn::Embedding embedding(nn::EmbeddingOptions{.rows = 9, .d_model = 64});
  const TokenInput input(embedding, nn::PositionsOptions{.d_model = 64, .max_len = 8}, 0.5);
  const nn::Noise noise{.seed = 1, .step = 1, .examples = torch::arange(1)};
  const auto x = input->forward(torch::tensor({{1, 2, 3}}, torch::kLong), 0, &noise);
  const auto dropped = (x == 0).to(torch::kFloat).mean().item<double>();
  REQUIRE(dropped > 0.3);
  REQUIRE(dropped < 0.7);
}

}  // namespace
}  // namespace heed::model
