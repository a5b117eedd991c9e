#include "nn/recurrent/memory_attention.h"

#include <ATen/autocast_mode.h>

#include "nn/recurrent_golden.h"

namespace heed::nn {
namespace {

const auto kScores = {Score::kAdditive, Score::kDot, Score::kGeneral};

MemoryAttention make(Score score, double dropout = 0.0) {
  return MemoryAttention(MemoryAttentionOptions{.score = score, .d_model = 5, .dropout = dropout});
}

TEST_CASE("additive attention equals NumPy's, gradients too, a text without tokens among others",
          "[nn][memory_attention][golden]") {
  const auto golden = test::recurrent_golden().at("additive");
  std::map<std::string, test::Same> names;
  for (const auto* name :
       {"query_proj.weight", "key_proj.weight", "key_proj.bias", "score_weight"}) {
    names[name] = {name};
  }
  auto attention = make(Score::kAdditive);
  test::copy_golden(*attention.ptr(), names, golden);
  const auto query = test::golden_input(golden, "query");
  const auto memory = test::golden_input(golden, "memory");
  const auto lengths =
      torch::tensor(golden.at("lengths").get<std::vector<int64_t>>(), torch::kLong);
  AttentionParts parts;
  const auto context =
      attention->forward(query, attention->project(memory, lengths), &parts, nullptr);
  REQUIRE(test::max_diff(parts.weights.squeeze(1), test::golden_tensor(golden.at("weights"))) <
          1e-6);
  test::require_golden(context, *attention, {{"query", query}, {"memory", memory}}, names, golden);
}

TEST_CASE("dot and general attention are Luong's formulas", "[nn][memory_attention][property]") {
  torch::manual_seed(1);
  const auto query = torch::randn({2, 3, 5});
  const auto memory = torch::randn({2, 4, 5});
  const auto dot = make(Score::kDot);
  const auto general = make(Score::kGeneral);
  REQUIRE(dot->parameters().empty());
  const auto expect = [&](const torch::Tensor& scores) {
    return torch::matmul(scores.softmax(-1), memory);
  };
  REQUIRE(test::max_diff(dot->forward(query, dot->project(memory, {}), nullptr, nullptr),
                         expect(torch::matmul(query, memory.transpose(1, 2)))) < 1e-6);
  const auto keys = torch::matmul(memory, general->named_parameters()["key_proj.weight"].t());
  REQUIRE(test::max_diff(general->forward(query, general->project(memory, {}), nullptr, nullptr),
                         expect(torch::matmul(query, keys.transpose(1, 2)))) < 1e-6);
}

TEST_CASE("hidden keys have no weight, and a row without keys has no context and finite gradients",
          "[nn][memory_attention][property]") {
  for (const auto score : kScores) {
    torch::manual_seed(2);
    const auto attention = make(score);
    const auto query = torch::randn({3, 2, 5}).requires_grad_();
    const auto memory = torch::randn({3, 4, 5}).requires_grad_();
    const auto lengths = torch::tensor({4, 0, 1}, torch::kLong);
    AttentionParts parts;
    const auto context =
        attention->forward(query, attention->project(memory, lengths), &parts, nullptr);
    const auto sums = parts.weights.sum(-1).squeeze(1);  // [B, Tq]
    const auto expected = torch::tensor({{1.0f, 1.0f}, {0.0f, 0.0f}, {1.0f, 1.0f}});
    REQUIRE(test::max_diff(sums, expected) < 1e-6);
    REQUIRE(parts.weights[2].narrow(-1, 1, 3).abs().max().item<double>() == 0.0);
    REQUIRE(context[1].abs().max().item<double>() == 0.0);
    context.square().sum().backward();
    REQUIRE(query.grad().isfinite().all().item<bool>());
    REQUIRE(memory.grad().isfinite().all().item<bool>());
    REQUIRE(memory.grad()[1].abs().max().item<double>() == 0.0);
  }
}

TEST_CASE("hypotheses that share a row get what each would get alone",
          "[nn][memory_attention][property]") {
  for (const auto score : kScores) {
    torch::manual_seed(3);
    const auto attention = make(score);
    const auto query = torch::randn({6, 1, 5});
    const auto memory = torch::randn({2, 4, 5});
    const auto lengths = torch::tensor({4, 2}, torch::kLong);
    const auto shared = attention->project(memory, lengths);
    const auto repeated =
        attention->project(memory.repeat_interleave(3, 0), lengths.repeat_interleave(3, 0));
    AttentionParts together;
    AttentionParts apart;
    const auto context = attention->forward(query, shared, &together, nullptr);
    REQUIRE(test::max_diff(context, attention->forward(query, repeated, &apart, nullptr)) < 1e-6);
    REQUIRE(test::max_diff(together.weights, apart.weights) < 1e-6);
    REQUIRE(together.key.sizes() == apart.key.sizes());
    REQUIRE_THROWS_WITH(attention->forward(query.narrow(0, 0, 5), shared, nullptr, nullptr),
                        test::ContainsSubstring("5 query rows do not share 2 memory rows evenly"));
  }
}

TEST_CASE("weights shown are those before dropout", "[nn][memory_attention][unit]") {
  torch::manual_seed(4);
  const auto attention = make(Score::kGeneral, 0.5);
  const Noise noise{.seed = 1, .step = 1, .examples = torch::arange(4)};
  const auto query = torch::randn({4, 3, 5});
  const auto memory = attention->project(torch::randn({4, 6, 5}), {});
  AttentionParts parts;
  const auto dropped = attention->forward(query, memory, &parts, &noise);
  REQUIRE(test::max_diff(parts.weights.sum(-1), torch::ones({4, 1, 3})) < 1e-6);
  REQUIRE(test::max_diff(dropped, attention->forward(query, memory, nullptr, nullptr)) > 1e-2);
}

TEST_CASE("scores and weights are fp32 under bf16 autocast", "[nn][memory_attention][unit]") {
  for (const auto score : kScores) {
    torch::manual_seed(5);
    const auto attention = make(score);
    const auto query = torch::randn({2, 3, 5});
    const auto memory = torch::randn({2, 4, 5});
    const auto run = [&](AttentionParts& parts) {
      return attention->forward(query, attention->project(memory, {}), &parts, nullptr);
    };
    AttentionParts exact;
    const auto expected = run(exact);
    at::autocast::set_autocast_dtype(torch::kCPU, torch::kBFloat16);
    at::autocast::set_autocast_enabled(torch::kCPU, true);
    AttentionParts parts;
    const auto found = run(parts);
    at::autocast::set_autocast_enabled(torch::kCPU, false);
    at::autocast::clear_cache();
    REQUIRE(parts.weights.scalar_type() == torch::kFloat);
    REQUIRE(found.scalar_type() == torch::kFloat);
    REQUIRE(test::max_diff(found, expected) < 0.05);
  }
}

}  // namespace
}  // namespace heed::nn
