#include "nn/embedding.h"

#include <cmath>

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

TEST_CASE("an embedding is its row times sqrt(d_model)", "[nn][embedding][unit]") {
  torch::manual_seed(1);
  const Embedding embedding(EmbeddingOptions{.rows = 7, .d_model = 9});
  const auto ids = torch::tensor({{3, 0}, {6, 3}}, torch::kLong);
  const auto expected = embedding->weight().index({ids}) * 3.0;
  REQUIRE(test::max_diff(embedding->forward(ids), expected) < 1e-6);
}

TEST_CASE("an id that comes twice gathers both gradients", "[nn][embedding][unit]") {
  const Embedding embedding(EmbeddingOptions{.rows = 3, .d_model = 4});
  embedding->forward(torch::tensor({2, 0, 2}, torch::kLong)).sum().backward();
  const auto expected = torch::tensor({2.0F, 0.0F, 4.0F}).unsqueeze(1).expand({3, 4});
  REQUIRE(test::max_diff(embedding->weight().grad(), expected) < 1e-6);
}

TEST_CASE("embeddings begin normal with a deviation of 1 / sqrt(d_model)",
          "[nn][embedding][property]") {
  const auto seed = GENERATE(range(0, 5));
  torch::manual_seed(seed);
  const Embedding embedding(EmbeddingOptions{.rows = 500, .d_model = 64});
  REQUIRE(std::abs(embedding->weight().std().item<double>() - 1.0 / 8.0) < 0.003);
}

}  // namespace
}  // namespace heed::nn
