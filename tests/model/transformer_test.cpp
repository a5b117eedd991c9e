#include "model/transformer.h"

#include <cmath>

#include <ATen/autocast_mode.h>

#include "base/error.h"
#include "model/examples.h"

namespace heed::model {
namespace {

std::shared_ptr<EncoderDecoder> make_model(const config::Model& config, uint64_t seed = 1) {
  auto model = build_encoder_decoder(config, test::translator_sizes(), seed);
  model->eval();
  return model;
}

constexpr int kVariants = 16;

/// Positions inside attention, depths of their own, other blocks: one after the other.
void choose_further(int variant, config::Model& config) {
  config.positions = variant == 6 || variant == 15 ? "rotary"
                     : variant == 7                ? "alibi"
                     : variant == 8                ? "relative"
                     : variant == 13               ? "learned"
                                                   : "sinusoidal";
  config.kv_heads = variant == 7 ? 1 : 0;
  config.norm = variant == 6 || variant == 9 ? "rms" : "layer";
  if (variant == 6 || variant == 11) config.activation = "swiglu";
  if (variant == 6) config.rotary_base = 100.0;
  if (variant == 9) config.head_dim = 6;
  if (variant == 9) config.attention.value_dim = 3;
  if (variant == 10) config.attention = {.value_dim = 4, .out_proj = false};
  if (variant == 10) config.head_dim = 2;
  config.residual = variant != 12;
  config.residual_scale = variant == 11 ? 0.5 : 1.0;
  config.init = variant == 11 ? "small" : variant == 12 ? "kaiming" : "xavier_normal";
  if (variant == 13 || variant == 15) config.position_scaling = "linear";
  if (variant == 14) config.position_scaling = "ntk";
  if (variant >= 13) config.position_factor = 2.0;
  if (variant == 14) config.heads = 1;
  if (variant == 14) config.attention.type = "single_head";
}

config::Model config_of(int variant) {
  auto config = test::small_config();
  config.norm_position = variant % 2 == 0 ? "pre" : "post";
  config.activation = variant % 2 == 0 ? "gelu" : "relu";
  config.positions = variant < 2 ? "sinusoidal" : variant < 4 ? "learned" : "none";
  config.tie = variant % 3 == 0 ? "none" : variant % 3 == 1 ? "softmax" : "all";
  config.vocab_rows = variant == 3 ? 16 : 0;
  config.kv_heads = variant == 4 ? 1 : 0;
  config.attention.impl = variant == 5 ? "fused" : "auto";
  if (variant > 5) choose_further(variant, config);
  return config;
}

struct Batch {
  Sequences source;
  Sequences target;
};

Batch make_batch() {
  return {test::random_sequences({5, 1, 3}, 5), test::random_sequences({4, 6, 1}, 6)};
}

torch::Tensor log_probs(const EncoderDecoder& model, const torch::Tensor& features) {
  return model.logits(features).log_softmax(-1);
}

TEST_CASE("ids at the padding change no real feature, and nothing is ever NaN",
          "[model][transformer][property]") {
  const auto variant = GENERATE(range(0, kVariants));
  const auto seed = GENERATE(range(0, 3));
  CAPTURE(variant, seed);
  torch::manual_seed(seed);
  const auto model = make_model(config_of(variant), seed);
  const auto [source, target] = make_batch();
  const auto memory = model->encode(source);
  const auto features = model->decode(target, memory);
  const auto noisy_memory = model->encode(test::other_padding(source));
  const auto noisy = model->decode(test::other_padding(target), noisy_memory);
  REQUIRE(test::all_finite(memory.features));
  REQUIRE(test::all_finite(features));
  for (int64_t b = 0; b < 3; ++b) {
    const auto source_len = source.lengths[b].item<int64_t>();
    const auto target_len = target.lengths[b].item<int64_t>();
    REQUIRE(test::max_diff(memory.features[b].narrow(0, 0, source_len),
                           noisy_memory.features[b].narrow(0, 0, source_len)) == 0.0);
    REQUIRE(test::max_diff(features[b].narrow(0, 0, target_len),
                           noisy[b].narrow(0, 0, target_len)) == 0.0);
  }
}

TEST_CASE("a sentence alone gives what it gives in a batch", "[model][transformer][property]") {
  const auto variant = GENERATE(range(0, kVariants));
  const auto seed = GENERATE(range(0, 3));
  CAPTURE(variant, seed);
  torch::manual_seed(seed);
  const auto model = make_model(config_of(variant), seed);
  const auto [source, target] = make_batch();
  const auto together = model->decode(target, model->encode(source));
  for (int64_t b = 0; b < 3; ++b) {
    const auto alone =
        model->decode(test::row_of(target, b), model->encode(test::row_of(source, b)));
    REQUIRE(test::max_diff(alone[0], together[b].narrow(0, 0, alone.size(1))) < 1e-5);
  }
}

TEST_CASE("step by step gives what one pass gives, hypotheses reordered and sources dropped",
          "[model][transformer][property]") {
  const auto variant = GENERATE(range(0, kVariants));
  const auto seed = GENERATE(range(0, 3));
  CAPTURE(variant, seed);
  torch::manual_seed(seed);
  const torch::NoGradGuard no_grad;
  const auto model = make_model(config_of(variant), seed);
  const auto source = test::random_sequences({5, 1, 3}, 5);
  const auto memory = model->encode(source);
  const auto state = model->start(memory, 8);
  REQUIRE(state->rows() == 3);
  REQUIRE(state->memory_rows() == 3);

  // ids chosen so far by each hypothesis, and the source each reads
  auto ids = torch::full({3, 1}, 2, torch::kLong);
  auto sources = torch::arange(3);
  const auto check = [&] {
    const auto features = model->step(ids.select(1, ids.size(1) - 1), *state);
    const Sequences target{.ids = ids,
                           .lengths = torch::full({ids.size(0)}, ids.size(1), torch::kLong)};
    const Memory read{.features = memory.features.index_select(0, sources),
                      .lengths = memory.lengths.index_select(0, sources)};
    const auto full = model->decode(target, read).select(1, ids.size(1) - 1);
    REQUIRE(test::max_diff(log_probs(*model, features), log_probs(*model, full)) < 1e-5);
    REQUIRE(state->position() == ids.size(1));
  };
  const auto select = [&](const std::vector<int64_t>& rows, const torch::Tensor& memory_rows) {
    const auto index = torch::tensor(rows);
    state->select(index, memory_rows);
    ids = ids.index_select(0, index);
    sources = sources.index_select(0, index);
  };
  const auto extend = [&] {
    ids = torch::cat({ids, torch::randint(4, test::kPieces, {ids.size(0), 1}, torch::kLong)}, 1);
  };
  check();
  select({0, 0, 1, 1, 2, 2}, {});  // two hypotheses a source
  extend();
  check();
  select({1, 0, 3, 3, 5, 4}, {});
  extend();
  check();
  select({5, 5, 0, 1}, torch::tensor({2, 0}, torch::kLong));  // the source in the middle is done
  REQUIRE(state->rows() == 4);
  REQUIRE(state->memory_rows() == 2);
  extend();
  check();
  select({3}, torch::tensor({1}, torch::kLong));
  extend();
  check();
}

TEST_CASE("a state refuses rows that don't share their sources evenly",
          "[model][transformer][unit]") {
  const auto model = make_model(test::small_config());
  const auto state = model->start(model->encode(test::random_sequences({2, 2}, 2)), 4);
  REQUIRE_THROWS(state->select(torch::arange(1), {}));
  REQUIRE_THROWS(model->step(torch::tensor({1, 2, 3}, torch::kLong), *state));
}

TEST_CASE("no feature moves when later target ids change", "[model][transformer][property]") {
  const auto variant = GENERATE(range(0, kVariants));
  const auto seed = GENERATE(range(0, 3));
  torch::manual_seed(seed);
  const auto model = make_model(config_of(variant), seed);
  const auto memory = model->encode(test::random_sequences({5, 3}, 5));
  auto target = test::random_sequences({6, 6}, 6);
  const auto before = model->decode(target, memory);
  target.ids = target.ids.clone();
  target.ids.narrow(1, 4, 2).fill_(4);
  const auto after = model->decode(target, memory);
  REQUIRE(torch::equal(before.narrow(1, 0, 4), after.narrow(1, 0, 4)));
  REQUIRE_FALSE(torch::equal(before.narrow(1, 5, 1), after.narrow(1, 5, 1)));
}

TEST_CASE("without positions a permuted source gives the permuted memory, with them it doesn't",
          "[model][transformer][property]") {
  const auto positions = GENERATE("none", "sinusoidal", "learned", "rotary", "alibi", "relative");
  const auto seed = GENERATE(range(0, 3));
  CAPTURE(positions, seed);
  torch::manual_seed(seed);
  auto config = test::small_config();
  config.positions = positions;
  const auto model = make_model(config, seed);
  const Sequences source{.ids = torch::tensor({{4, 5, 6, 7, 8}}),
                         .lengths = torch::tensor({5}, torch::kLong)};
  const auto order = torch::tensor({3, 0, 4, 1, 2}, torch::kLong);
  const Sequences permuted{.ids = source.ids.index_select(1, order), .lengths = source.lengths};
  const auto expected = model->encode(source).features.index_select(1, order);
  const double moved = test::max_diff(model->encode(permuted).features, expected);
  if (config.positions == "none") {
    REQUIRE(moved < 1e-5);
  } else {
    REQUIRE(moved > 1e-3);
  }
}

TEST_CASE("the trace holds every layer, cross weights on padding are 0, and nothing changes",
          "[model][transformer][unit]") {
  torch::manual_seed(1);
  const auto model = make_model(test::small_config());
  auto [source, target] = make_batch();
  const auto plain = model->decode(target, model->encode(source));
  Trace trace;
  source.trace = &trace;
  target.trace = &trace;
  const auto traced = model->decode(target, model->encode(source));
  REQUIRE(test::max_diff(plain, traced) < 1e-5);

  std::vector<std::pair<std::string, int64_t>> order;
  for (const auto& layer : trace.layers) order.emplace_back(layer.kind, layer.layer);
  const std::vector<std::pair<std::string, int64_t>> expected = {
      {"encoder", 0}, {"encoder", 1}, {"decoder", 0}, {"cross", 0}, {"decoder", 1}, {"cross", 1}};
  REQUIRE(order == expected);
  for (const auto& layer : trace.layers) {
    const auto& weights = layer.parts.weights;  // [B, H, Tq, Tk]
    const auto sums = weights.sum(-1);
    REQUIRE(test::max_diff(sums, torch::ones_like(sums)) < 1e-5);
    if (layer.kind == "decoder") continue;
    REQUIRE(weights[1].narrow(-1, 1, 4).abs().max().item<double>() == 0.0);
    REQUIRE(weights[2].narrow(-1, 3, 2).abs().max().item<double>() == 0.0);
  }
}

TEST_CASE("tied weights are one parameter, and padding rows of the vocabulary are no pieces",
          "[model][transformer][unit]") {
  const auto tie = GENERATE("none", "softmax", "all");
  const auto rows = GENERATE(0, 16);
  CAPTURE(tie, rows);
  auto config = test::small_config();
  config.tie = tie;
  config.vocab_rows = rows;
  const auto model = make_model(config);
  const auto names = model->named_parameters();
  const auto* output = model->output_weight().data_ptr();
  REQUIRE(model->output_weight().sizes() == torch::IntArrayRef({test::kPieces, 8}));
  REQUIRE(names.contains("embed_tokens.weight") == (config.tie == "all"));
  REQUIRE(names.contains("encoder.embed_tokens.weight") == (config.tie != "all"));
  REQUIRE(names.contains("output_projection.weight") == (config.tie == "none"));
  if (config.tie == "all") REQUIRE(names["embed_tokens.weight"].data_ptr() == output);
  if (config.tie == "softmax") REQUIRE(names["decoder.embed_tokens.weight"].data_ptr() == output);
  const auto features = torch::randn({2, 8});
  const auto expected = torch::matmul(features, model->output_weight().t());
  REQUIRE(test::max_diff(model->logits(features), expected) < 1e-6);
}

TEST_CASE("every parameter gets a finite gradient, and all but key biases a non-zero one",
          "[model][transformer][property]") {
  const auto variant = GENERATE(range(0, kVariants));
  CAPTURE(variant);
  torch::manual_seed(1);
  auto config = config_of(variant);
  const auto model = make_model(config);
  model->train();
  const auto [source, target] = make_batch();
  const auto features = model->decode(target, model->encode(source));
  log_probs(*model, features).select(-1, 5).sum().backward();
  for (const auto& parameter : model->named_parameters()) {
    CAPTURE(parameter.key());
    REQUIRE(test::all_finite(parameter->grad()));
    if (parameter.key().find("k_proj.bias") != std::string::npos) continue;
    REQUIRE(parameter->grad().abs().max().item<double>() > 0.0);
  }
}

TEST_CASE("layers that run again in the backward pass change no bit, dropout included",
          "[model][transformer][property]") {
  const auto variant = GENERATE(range(0, kVariants));
  CAPTURE(variant);
  auto config = config_of(variant);
  config.dropout = 0.3;
  config.attention.dropout = 0.2;
  const auto model = build_encoder_decoder(config, test::translator_sizes(), 1);
  const nn::Noise noise{.seed = 1, .step = 4, .examples = torch::tensor({11, 5, 7}, torch::kLong)};
  const auto batch = make_batch();
  const auto gradients = [&](bool again) {
    auto [source, target] = batch;
    source.noise = target.noise = &noise;
    source.recompute = target.recompute = again;
    model->zero_grad();
    const auto features = model->decode(target, model->encode(source));
    log_probs(*model, features).select(-1, 5).sum().backward();
    std::vector<torch::Tensor> all{features.detach()};
    for (const auto& parameter : model->parameters()) all.push_back(parameter.grad().clone());
    return all;
  };
  const auto plain = gradients(false);
  const auto again = gradients(true);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CAPTURE(i);
    REQUIRE(torch::equal(plain[i], again[i]));
  }
}

TEST_CASE("splitting a batch changes no dropout", "[model][transformer][property]") {
  const auto seed = GENERATE(range(0, 3));
  torch::manual_seed(seed);
  auto config = test::small_config();
  config.attention.dropout = 0.2;
  const auto model = build_encoder_decoder(config, test::translator_sizes(), 1);
  auto [source, target] = make_batch();
  const auto run = [&](const nn::Noise& noise, int64_t first, int64_t count) {
    const Sequences from{.ids = source.ids.narrow(0, first, count),
                         .lengths = source.lengths.narrow(0, first, count),
                         .noise = &noise};
    const Sequences to{.ids = target.ids.narrow(0, first, count),
                       .lengths = target.lengths.narrow(0, first, count),
                       .noise = &noise};
    return model->decode(to, model->encode(from));
  };
  const nn::Noise all{.seed = 1, .step = 4, .examples = torch::tensor({11, 5, 7}, torch::kLong)};
  const nn::Noise last{.seed = 1, .step = 4, .examples = torch::tensor({5, 7}, torch::kLong)};
  REQUIRE(test::max_diff(run(all, 0, 3).narrow(0, 1, 2), run(last, 1, 2)) < 1e-5);
}

TEST_CASE("under bf16 autocast features stay near fp32, and gradients are fp32 and finite",
          "[model][transformer][property]") {
  const auto variant = GENERATE(range(0, kVariants));
  CAPTURE(variant);
  torch::manual_seed(1);
  const auto model = make_model(config_of(variant));
  const auto [source, target] = make_batch();
  const auto exact = model->decode(target, model->encode(source)).detach();

  at::autocast::set_autocast_dtype(torch::kCPU, torch::kBFloat16);
  at::autocast::set_autocast_enabled(torch::kCPU, true);
  const auto features = model->decode(target, model->encode(source));
  at::autocast::set_autocast_enabled(torch::kCPU, false);
  at::autocast::clear_cache();
  REQUIRE(features.scalar_type() == torch::kFloat);
  REQUIRE(test::max_diff(features, exact) < 0.15);
  features.square().sum().backward();
  for (const auto& parameter : model->named_parameters()) {
    CAPTURE(parameter.key());
    if (!parameter->grad().defined()) continue;  // the untied output projection
    REQUIRE(parameter->grad().scalar_type() == torch::kFloat);
    REQUIRE(test::all_finite(parameter->grad()));
  }
}

}  // namespace
}  // namespace heed::model
