#include "model/rnn_classifier.h"

#include "model/rnn_examples.h"

namespace heed::model {
namespace {

std::shared_ptr<Classifier> make_classifier(int variant) {
  auto model = build_classifier(test::rnn_config(variant), test::classifier_sizes(), 1);
  model->eval();
  return model;
}

TEST_CASE("a text alone is pooled as in a batch, whatever stands at the padding",
          "[model][rnn_classifier][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(variant);
  const auto model = make_classifier(variant);
  const auto source = test::random_sequences({5, 1, 3}, 5);
  const auto pooled = model->pool(source);
  REQUIRE(pooled.sizes() == torch::IntArrayRef({3, 8}));
  REQUIRE(torch::equal(model->pool(test::other_padding(source)), pooled));
  for (int64_t b = 0; b < 3; ++b) {
    REQUIRE(test::max_diff(model->pool(test::row_of(source, b))[0], pooled[b]) < 1e-5);
  }
}

TEST_CASE("the trace holds one row of weights for a text", "[model][rnn_classifier][unit]") {
  torch::manual_seed(1);
  const auto model = make_classifier(0);
  auto source = test::random_sequences({5, 3}, 5);
  const auto plain = model->pool(source);
  Trace trace;
  source.trace = &trace;
  REQUIRE(torch::equal(model->pool(source), plain));
  REQUIRE(trace.layers.size() == 1);
  REQUIRE(trace.layers[0].kind == "cross");
  const auto& weights = trace.layers[0].parts.weights;
  REQUIRE(weights.sizes() == torch::IntArrayRef({2, 1, 1, 5}));
  REQUIRE(test::max_diff(weights.sum(-1), torch::ones({2, 1, 1})) < 1e-6);
  REQUIRE(weights[1].narrow(-1, 3, 2).abs().max().item<double>() == 0.0);
}

TEST_CASE("model.attention.dropout acts on the weights a text is pooled with",
          "[model][rnn_classifier][unit]") {
  auto config = test::rnn_config(0);
  config.dropout = config.rnn.state_dropout = 0.0;
  const nn::Noise noise{.seed = 1, .step = 1, .examples = torch::arange(2)};
  torch::manual_seed(1);
  auto source = test::random_sequences({5, 3}, 5);
  const auto moved = [&](double dropout) {
    config.attention.dropout = dropout;
    const auto model = build_classifier(config, test::classifier_sizes(), 1);
    source.noise = nullptr;
    const auto plain = model->pool(source);
    source.noise = &noise;
    return test::max_diff(model->pool(source), plain);
  };
  REQUIRE(moved(0.0) == 0.0);
  REQUIRE(moved(0.5) > 1e-3);
}

TEST_CASE("gradients reach every parameter of a recurrent classifier",
          "[model][rnn_classifier][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(1);
  const auto model = make_classifier(variant);
  model->train();
  const auto pooled = model->pool(test::random_sequences({5, 0, 3}, 5));
  model->logits(pooled).log_softmax(-1).select(1, 2).sum().backward();
  for (const auto& parameter : model->named_parameters()) {
    CAPTURE(parameter.key());
    REQUIRE(test::all_finite(parameter->grad()));
    REQUIRE(parameter->grad().abs().max().item<double>() > 0.0);
  }
}

}  // namespace
}  // namespace heed::model
