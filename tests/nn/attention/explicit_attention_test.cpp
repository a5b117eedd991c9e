#include "nn/attention/explicit_attention.h"

#include <cmath>

#include "support/catch.h"
#include "support/close.h"

namespace heed::nn {
namespace {

CoreInput explicit_input() {
  return {.query = torch::randn({2, 3, 4, 5}),
          .key = torch::randn({2, 3, 6, 5}),
          .value = torch::randn({2, 3, 6, 2})};
}

class Slope final : public ScoreBias {
 public:
  torch::Tensor block(int64_t query_first, int64_t query_len, int64_t key_first,
                      int64_t key_len) const override {
    const auto query = torch::arange(query_first, query_first + query_len).unsqueeze(1);
    return (torch::arange(key_first, key_first + key_len) - query).unsqueeze(0) * -0.5;
  }
};

TEST_CASE("a bias is added to scores before what is hidden", "[nn][explicit_attention][unit]") {
  torch::manual_seed(1);
  auto input = explicit_input();
  const Slope slope;
  AttentionParts parts;
  input.bias = &slope;
  input.parts = &parts;
  input.past = 2;
  input.visible.causal = true;
  const auto scores = dot_scores(input.query, input.key, 1.0);
  const Dropout dropout(0.0);
  const auto context = attend_explicitly(input, scores, dropout);
  const auto bias = slope.block(2, 4, 0, 6);
  const auto hidden = torch::arange(6) > torch::arange(2, 6).unsqueeze(1);
  const auto expected = (scores + bias).masked_fill(hidden, -INFINITY);
  REQUIRE(torch::equal(parts.scores, expected));
  REQUIRE(test::max_diff(parts.weights, torch::softmax(expected, -1)) < 1e-6);
  REQUIRE(test::max_diff(context, torch::matmul(parts.weights, input.value)) < 1e-6);
}

TEST_CASE("scores of half precision are computed in fp32", "[nn][explicit_attention][unit]") {
  torch::manual_seed(1);
  const auto query = torch::randn({1, 1, 3, 8}).to(torch::kBFloat16);
  const auto key = torch::randn({1, 1, 3, 8}).to(torch::kBFloat16);
  const auto scores = dot_scores(query, key, 2.0);
  REQUIRE(scores.scalar_type() == torch::kFloat);
  const auto wide = torch::matmul(query.to(torch::kFloat) * 2, key.to(torch::kFloat).mT());
  REQUIRE(test::max_diff(scores, wide) < 1e-6);
}

TEST_CASE("dropout of some rows is that of the whole at their places",
          "[nn][explicit_attention][property]") {
  torch::manual_seed(1);
  auto input = explicit_input();
  const Noise noise{.seed = 3, .step = 1, .examples = torch::arange(2)};
  input.noise = &noise;
  const Dropout dropout(0.5);
  const auto scores = dot_scores(input.query, input.key, 1.0);
  const auto whole = attend_explicitly(input, scores, {}, dropout);
  const auto rows = torch::tensor({3, 1}, torch::kLong);
  auto some = input;
  some.query = input.query.index_select(2, rows);
  const auto part = attend_explicitly(some, scores.index_select(2, rows), {}, dropout,
                                      {.rows = rows.view({1, 1, 2}).expand({2, 1, 2})});
  REQUIRE(test::max_diff(part, whole.index_select(2, rows)) < 1e-6);
}

}  // namespace
}  // namespace heed::nn
