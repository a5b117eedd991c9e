#include "model/rnn_decoder.h"

#include "model/rnn_encoder.h"
#include "model/rnn_examples.h"
#include "nn/gradients.h"

namespace heed::model {
namespace {

RnnDecoder make_decoder(const config::Model& config) {
  RnnDecoder decoder(config, nn::Embedding(nn::EmbeddingOptions{.rows = test::kPieces,
                                                                .d_model = config.d_model}));
  decoder->eval();
  return decoder;
}

Memory random_memory() {
  const auto lengths = torch::tensor({4, 2}, torch::kLong);
  const auto padding = (torch::arange(4) >= lengths.unsqueeze(1)).unsqueeze(-1);
  return {.features = torch::randn({2, 4, 8}).masked_fill(padding, 0.0), .lengths = lengths};
}

TEST_CASE("the decoder begins as its config says", "[model][rnn_decoder][unit]") {
  torch::manual_seed(1);
  const auto memory = random_memory();
  const auto last = last_features(memory.features, memory.lengths, true);
  const auto first = [&](const std::string& init) {
    auto config = test::rnn_config(1);
    config.rnn.init = init;
    const auto decoder = make_decoder(config);
    const auto state = decoder->start(memory);
    REQUIRE(state->carried().layers.size() == 2);
    REQUIRE(decoder->named_parameters().contains("bridge.weight") == (init == "bridge"));
    return state->carried().layers[1];
  };
  REQUIRE(first("zero").hidden.abs().max().item<double>() == 0.0);
  REQUIRE(torch::equal(first("last").hidden, last));
  REQUIRE(torch::equal(first("last").cell, last));
  const auto bridged = first("bridge");
  REQUIRE(bridged.hidden.abs().max().item<double>() < 1.0);
  REQUIRE(test::max_diff(bridged.hidden, bridged.cell) > 1e-2);
}

TEST_CASE("input feeding hands the features on, and nothing else changes",
          "[model][rnn_decoder][property]") {
  torch::manual_seed(2);
  auto config = test::rnn_config(0);
  const auto plain = make_decoder(config);
  config.rnn.input_feeding = true;
  const auto fed = make_decoder(config);
  const torch::NoGradGuard no_grad;
  auto parameters = fed->named_parameters();
  REQUIRE(parameters.contains("feed.weight"));
  REQUIRE_FALSE(plain->named_parameters().contains("feed.weight"));
  const auto memory = random_memory();
  const auto target = test::random_sequences({5, 3}, 5);
  const auto real = (torch::arange(5) < target.lengths.unsqueeze(1)).unsqueeze(-1);

  // both embeddings are shared by copying, as they belong to no one here
  const auto before = fed->forward(target, memory);
  parameters["feed.weight"].zero_();
  const auto without = fed->forward(target, memory);
  REQUIRE(test::max_diff(before.select(1, 0), without.select(1, 0)) < 1e-6);
  REQUIRE(test::max_diff(before.select(1, 1), without.select(1, 1)) > 1e-4);
  REQUIRE((before * ~real).abs().max().item<double>() == 0.0);
}

TEST_CASE("step by step with a feed of nothing equals whole sequences",
          "[model][rnn_decoder][property]") {
  const auto cell = GENERATE("gru", "lstm");
  CAPTURE(cell);
  torch::manual_seed(3);
  auto config = test::rnn_config(0);
  config.rnn.cell = cell;
  const nn::Embedding embedding(
      nn::EmbeddingOptions{.rows = test::kPieces, .d_model = config.d_model});
  RnnDecoder whole(config, embedding);
  config.rnn.input_feeding = true;
  RnnDecoder stepwise(config, embedding);
  auto names = stepwise->named_parameters();
  {
    const torch::NoGradGuard no_grad;
    for (const auto& parameter : whole->named_parameters()) {
      names[parameter.key()].copy_(*parameter);
    }
    names["feed.weight"].zero_();
  }
  whole->eval();
  stepwise->eval();

  auto memory = random_memory();
  memory.features.requires_grad_();
  auto target = test::random_sequences({3, 5}, 5);
  Trace of_whole;
  Trace of_steps;
  const auto real = (torch::arange(5) < target.lengths.unsqueeze(1)).unsqueeze(-1);
  target.trace = &of_whole;
  const auto expected = whole->forward(target, memory) * real;
  target.trace = &of_steps;
  const auto found = stepwise->forward(target, memory) * real;
  REQUIRE(test::max_diff(found, expected) < 1e-6);
  const auto& a = of_whole.layers.at(0).parts;
  const auto& b = of_steps.layers.at(0).parts;
  const auto queries = real.unsqueeze(1);
  REQUIRE(test::max_diff(a.weights * queries, b.weights * queries) < 1e-6);
  REQUIRE(test::max_diff(a.query * queries, b.query * queries) < 1e-6);
  REQUIRE(test::max_diff(a.key, b.key) == 0.0);
  REQUIRE(test::max_diff(a.value, b.value) == 0.0);

  std::vector<torch::Tensor> of_wholes{memory.features};
  std::vector<torch::Tensor> of_stepwise{memory.features};
  for (const auto& parameter : whole->named_parameters()) {
    of_wholes.push_back(*parameter);
    of_stepwise.push_back(names[parameter.key()]);
  }
  const auto weight = torch::randn_like(expected);
  const auto gradients = test::gradients_of((expected * weight).sum(), of_wholes);
  const auto again = test::gradients_of((found * weight).sum(), of_stepwise);
  test::require_close(again, gradients);
}

}  // namespace
}  // namespace heed::model
