#include "model/encoder_classifier.h"

#include "model/examples.h"

namespace heed::model {
namespace {

std::shared_ptr<Classifier> make_model(const std::string& pooling, uint64_t seed = 1) {
  auto config = test::small_config();
  config.pooling = pooling;
  auto model = build_classifier(config, test::classifier_sizes(), seed);
  model->eval();
  return model;
}

TEST_CASE("pooled features don't depend on padding or on the batch",
          "[model][encoder_classifier][property]") {
  const auto pooling = GENERATE("cls", "mean", "max");
  const auto seed = GENERATE(range(0, 3));
  CAPTURE(pooling, seed);
  torch::manual_seed(seed);
  const auto model = make_model(pooling, seed);
  const auto source = test::random_sequences({5, 1, 3}, 5);
  const auto pooled = model->pool(source);
  REQUIRE(pooled.sizes() == torch::IntArrayRef({3, 8}));
  REQUIRE(test::all_finite(pooled));
  REQUIRE(test::max_diff(model->pool(test::other_padding(source)), pooled) == 0.0);
  for (int64_t b = 0; b < 3; ++b) {
    const auto alone = model->pool(test::row_of(source, b));
    REQUIRE(test::max_diff(alone[0], pooled[b]) < 1e-5);
  }
}

TEST_CASE("pooling takes the mean, the maximum or the end token of the encoder's features",
          "[model][encoder_classifier][unit]") {
  torch::manual_seed(1);
  const auto source = test::random_sequences({4, 2}, 4);
  // The same seed gives the three the same encoder.
  const auto cls = make_model("cls")->pool(source);
  const auto mean = make_model("mean")->pool(source);
  const auto max = make_model("max")->pool(source);
  const auto model = make_model("mean");
  const auto encoder = std::dynamic_pointer_cast<TransformerEncoderImpl>(model->children().front());
  REQUIRE(encoder);
  const auto features = encoder->forward(source);
  for (int64_t b = 0; b < 2; ++b) {
    const auto length = source.lengths[b].item<int64_t>();
    const auto real = features[b].narrow(0, 0, length);
    REQUIRE(test::max_diff(cls[b], real[length - 1]) < 1e-6);
    REQUIRE(test::max_diff(mean[b], real.mean(0)) < 1e-6);
    REQUIRE(test::max_diff(max[b], real.amax(0)) < 1e-6);
  }
}

TEST_CASE("logits are the classes' projection with bias, and gradients reach every parameter",
          "[model][encoder_classifier][property]") {
  const auto pooling = GENERATE("cls", "mean", "max");
  CAPTURE(pooling);
  torch::manual_seed(1);
  const auto model = make_model(pooling);
  const auto pooled = model->pool(test::random_sequences({5, 1, 3}, 5));
  const auto expected = torch::linear(pooled, model->output_weight(), model->output_bias());
  REQUIRE(model->output_weight().size(0) == 4);
  REQUIRE(test::max_diff(model->logits(pooled), expected) < 1e-6);
  model->logits(pooled).log_softmax(-1).select(1, 2).sum().backward();
  for (const auto& parameter : model->named_parameters()) {
    CAPTURE(parameter.key());
    REQUIRE(test::all_finite(parameter->grad()));
    if (parameter.key().find("k_proj.bias") != std::string::npos) continue;
    REQUIRE(parameter->grad().abs().max().item<double>() > 0.0);
  }
}

TEST_CASE("a classifier's trace holds the encoder's layers", "[model][encoder_classifier][unit]") {
  const auto model = make_model("mean");
  auto source = test::random_sequences({5, 3}, 5);
  Trace trace;
  source.trace = &trace;
  model->pool(source);
  REQUIRE(trace.layers.size() == 2);
  REQUIRE(trace.layers[1].kind == "encoder");
  REQUIRE(trace.layers[1].parts.weights.sizes() == torch::IntArrayRef({2, 2, 5, 5}));
}

}  // namespace
}  // namespace heed::model
