#include "model/attention_variants.h"

// What a translator of every registered variant keeps.

namespace heed::model {
namespace {

/// A small translator of that variant, in evaluation mode.
std::shared_ptr<EncoderDecoder> make_translator(const test::Variant& variant) {
  auto config = variant.config(8, 2);
  config.d_ff = 12;
  config.enc_layers = 2;
  config.dec_layers = 2;
  config.dropout = 0.0;
  auto model = build_encoder_decoder(config, test::translator_sizes(), 1);
  model->eval();
  return model;
}

TEST_CASE("a translator of each variant decodes step by step as in one pass",
          "[model][attention][property]") {
  const auto variant = GENERATE(from_range(test::self_variants()));
  CAPTURE(variant.name());
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  const auto model = make_translator(variant);
  const auto memory = model->encode(test::random_sequences({7, 1, 4}, 7));
  const auto target = test::random_sequences({8, 8, 8}, 8);
  const auto features = model->decode(target, memory);
  const auto state = model->start(memory, 8);
  for (int64_t t = 0; t < 8; ++t) {
    const auto step = model->step(target.ids.select(1, t), *state);
    REQUIRE(test::max_diff(step, features.select(1, t)) < 1e-5);
  }
}

TEST_CASE("a translator of each variant shows attention of every layer, head and kind",
          "[model][attention][property]") {
  const auto variant = GENERATE(from_range(test::self_variants()));
  CAPTURE(variant.name());
  torch::manual_seed(1);
  const torch::NoGradGuard no_grad;
  const auto model = make_translator(variant);
  Trace trace;
  auto source = test::random_sequences({7}, 7);
  auto target = test::random_sequences({5}, 5);
  const auto plain = model->decode(target, model->encode(source));
  source.trace = &trace;
  target.trace = &trace;
  const auto shown = model->decode(target, model->encode(source));
  REQUIRE(test::max_diff(shown, plain) < 1e-5);
  REQUIRE(trace.layers.size() == 6);
  for (const auto& [kind, layer, parts] : trace.layers) {
    CAPTURE(kind, layer);
    const auto sums = parts.weights.sum(-1);
    REQUIRE(test::max_diff(sums, torch::ones_like(sums)) < 1e-5);
    REQUIRE(parts.weights.size(2) == (kind == "encoder" ? 7 : 5));
    REQUIRE(parts.weights.size(3) == (kind == "decoder" ? 5 : 7));
  }
}

TEST_CASE("a translator of each variant learns a batch", "[model][attention][train]") {
  const auto variant = GENERATE(from_range(test::self_variants()));
  CAPTURE(variant.name());
  torch::manual_seed(1);
  const auto model = make_translator(variant);
  const auto source = test::random_sequences({6, 3, 5}, 6);
  const auto target = test::random_sequences({6, 6, 6}, 6);
  const auto wanted = torch::randint(4, test::kPieces, {3, 6}, torch::kLong);
  const auto loss = [&] {
    const auto logits = model->logits(model->decode(target, model->encode(source)));
    return torch::nll_loss(logits.flatten(0, 1).log_softmax(-1), wanted.flatten());
  };
  const double before = loss().item<double>();
  for (int step = 0; step < 150; ++step) {
    model->zero_grad();
    loss().backward();
    const torch::NoGradGuard no_grad;
    for (auto& parameter : model->parameters()) {
      if (parameter.grad().defined()) parameter.sub_(parameter.grad(), 0.3);
    }
  }
  REQUIRE(loss().item<double>() < 0.5 * before);
}

}  // namespace
}  // namespace heed::model
