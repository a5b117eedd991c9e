#include "model/rnn_translator.h"

#include <ATen/autocast_mode.h>

#include "base/error.h"
#include "model/rnn_examples.h"

namespace heed::model {
namespace {

struct RnnBatch {
  Sequences source;
  Sequences target;
};

RnnBatch make_rnn_batch() {
  return {test::random_sequences({5, 1, 3}, 5), test::random_sequences({4, 6, 1}, 6)};
}

torch::Tensor rnn_log_probs(const EncoderDecoder& model, const torch::Tensor& features) {
  return model.logits(features).log_softmax(-1);
}

TEST_CASE("ids at the padding change no feature, and nothing is ever NaN",
          "[model][rnn_translator][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(variant);
  const auto model = test::rnn_translator(variant);
  const auto [source, target] = make_rnn_batch();
  const auto features = model->decode(target, model->encode(source));
  REQUIRE(features.sizes() == torch::IntArrayRef({3, 6, 8}));
  REQUIRE(test::all_finite(features));
  const auto noisy =
      model->decode(test::other_padding(target), model->encode(test::other_padding(source)));
  REQUIRE(torch::equal(noisy, features));
}

TEST_CASE("rnn: a sentence alone gives what it gives in a batch",
          "[model][rnn_translator][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  const auto seed = GENERATE(range(0, 3));
  CAPTURE(variant, seed);
  torch::manual_seed(seed);
  const auto model = test::rnn_translator(variant, seed);
  const auto [source, target] = make_rnn_batch();
  const auto together = model->decode(target, model->encode(source));
  for (int64_t b = 0; b < 3; ++b) {
    const auto alone =
        model->decode(test::row_of(target, b), model->encode(test::row_of(source, b)));
    REQUIRE(test::max_diff(alone[0], together[b].narrow(0, 0, alone.size(1))) < 1e-5);
  }
}

TEST_CASE("an empty source has zero memory, zero weights and finite gradients",
          "[model][rnn_translator][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(variant);
  const auto model = test::rnn_translator(variant);
  auto source = test::random_sequences({0, 4}, 4);
  auto target = test::random_sequences({3, 2}, 3);
  Trace trace;
  target.trace = &trace;
  const auto features = model->decode(target, model->encode(source));
  REQUIRE(trace.layers.at(0).parts.weights[0].abs().max().item<double>() == 0.0);
  features.square().sum().backward();
  for (const auto& parameter : model->named_parameters()) {
    CAPTURE(parameter.key());
    if (parameter->grad().defined()) REQUIRE(test::all_finite(parameter->grad()));
  }
}

TEST_CASE("rnn: step by step gives what one pass gives, hypotheses reordered and sources dropped",
          "[model][rnn_translator][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  const auto seed = GENERATE(range(0, 3));
  CAPTURE(variant, seed);
  torch::manual_seed(seed);
  const torch::NoGradGuard no_grad;
  const auto model = test::rnn_translator(variant, seed);
  const auto source = test::random_sequences({5, 1, 3}, 5);
  const auto memory = model->encode(source);
  const auto state = model->start(memory, 8);

  auto ids = torch::full({3, 1}, 2, torch::kLong);  // chosen so far by each hypothesis
  auto sources = torch::arange(3);                  // that each reads
  const auto check = [&] {
    const auto features = model->step(ids.select(1, ids.size(1) - 1), *state);
    const Sequences target{.ids = ids,
                           .lengths = torch::full({ids.size(0)}, ids.size(1), torch::kLong)};
    const Memory read{.features = memory.features.index_select(0, sources),
                      .lengths = memory.lengths.index_select(0, sources)};
    const auto full = model->decode(target, read).select(1, ids.size(1) - 1);
    REQUIRE(test::max_diff(rnn_log_probs(*model, features), rnn_log_probs(*model, full)) < 1e-5);
    REQUIRE(state->position() == ids.size(1));
  };
  const auto select = [&](const std::vector<int64_t>& rows, const torch::Tensor& memory_rows) {
    const auto index = torch::tensor(rows);
    state->select(index, memory_rows);
    ids = ids.index_select(0, index);
    sources = sources.index_select(0, index);
    ids = torch::cat({ids, torch::randint(4, test::kPieces, {ids.size(0), 1}, torch::kLong)}, 1);
  };
  check();
  select({0, 0, 1, 1, 2, 2}, {});  // two hypotheses a source
  check();
  select({1, 0, 3, 3, 5, 4}, {});
  check();
  select({5, 5, 0, 1}, torch::tensor({2, 0}, torch::kLong));  // the source in the middle is done
  check();
  select({3}, torch::tensor({1}, torch::kLong));
  check();
}

TEST_CASE("rnn: no feature moves when later target ids change",
          "[model][rnn_translator][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(variant);
  const auto model = test::rnn_translator(variant);
  const auto memory = model->encode(test::random_sequences({5, 3}, 5));
  auto target = test::random_sequences({6, 6}, 6);
  const auto before = model->decode(target, memory);
  target.ids = target.ids.clone();
  target.ids.narrow(1, 4, 2).fill_(4);
  const auto after = model->decode(target, memory);
  REQUIRE(torch::equal(before.narrow(1, 0, 4), after.narrow(1, 0, 4)));
  REQUIRE_FALSE(torch::equal(before.narrow(1, 5, 1), after.narrow(1, 5, 1)));
}

TEST_CASE("the trace is cross attention alone, 0 on padding, and asking for it changes nothing",
          "[model][rnn_translator][unit]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(1);
  const auto model = test::rnn_translator(variant);
  auto source = test::random_sequences({9, 2}, 9);
  auto target = test::random_sequences({4, 6}, 6);
  const auto plain = model->decode(target, model->encode(source));
  Trace trace;
  source.trace = &trace;
  target.trace = &trace;
  REQUIRE(torch::equal(plain, model->decode(target, model->encode(source))));
  REQUIRE(trace.layers.size() == 1);
  REQUIRE(trace.layers[0].kind == "cross");
  const auto& parts = trace.layers[0].parts;
  REQUIRE(parts.weights.sizes() == torch::IntArrayRef({2, 1, 6, 9}));
  REQUIRE(parts.query.sizes() == torch::IntArrayRef({2, 1, 6, 8}));
  REQUIRE(parts.key.sizes() == torch::IntArrayRef({2, 1, 9, 8}));
  REQUIRE(parts.scores.sizes() == parts.weights.sizes());
  REQUIRE(parts.weights[1].narrow(-1, 2, 7).abs().max().item<double>() == 0.0);
  const auto sums = parts.weights[1].sum(-1);
  REQUIRE(test::max_diff(sums, torch::ones_like(sums)) < 1e-5);
}

TEST_CASE("rnn: tied weights are one parameter, and padding rows of the vocabulary are no pieces",
          "[model][rnn_translator][unit]") {
  for (const int variant : {0, 1, 2}) {
    CAPTURE(variant);
    const auto model = test::rnn_translator(variant);
    const auto tie = test::rnn_config(variant).tie;
    const auto names = model->named_parameters();
    const auto* output = model->output_weight().data_ptr();
    REQUIRE(model->output_weight().sizes() == torch::IntArrayRef({test::kPieces, 8}));
    REQUIRE(names.contains("embed_tokens.weight") == (tie == "all"));
    REQUIRE(names.contains("output_projection.weight") == (tie == "none"));
    if (tie == "all") REQUIRE(names["embed_tokens.weight"].data_ptr() == output);
    if (tie == "softmax") REQUIRE(names["decoder.embed_tokens.weight"].data_ptr() == output);
    const auto features = torch::randn({2, 8});
    const auto expected = torch::matmul(features, model->output_weight().t());
    REQUIRE(test::max_diff(model->logits(features), expected) < 1e-6);
  }
}

TEST_CASE("every parameter of a recurrent translator gets a finite gradient other than 0",
          "[model][rnn_translator][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(1);
  const auto model = test::rnn_translator(variant);
  model->train();
  const auto [source, target] = make_rnn_batch();
  const nn::Noise noise{.seed = 1, .step = 1, .examples = torch::arange(3)};
  auto from = source;
  auto to = target;
  from.noise = &noise;
  to.noise = &noise;
  rnn_log_probs(*model, model->decode(to, model->encode(from))).select(-1, 5).sum().backward();
  for (const auto& parameter : model->named_parameters()) {
    CAPTURE(parameter.key());
    REQUIRE(test::all_finite(parameter->grad()));
    REQUIRE(parameter->grad().abs().max().item<double>() > 0.0);
  }
}

TEST_CASE("splitting a batch changes no dropout of a recurrent model",
          "[model][rnn_translator][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(variant);
  const auto model = test::rnn_translator(variant);
  model->train();
  const auto [source, target] = make_rnn_batch();
  const auto run = [&, &from_all = source, &to_all = target](const nn::Noise* noise, int64_t first,
                                                             int64_t count) {
    const auto part = [&](const Sequences& x) {
      return Sequences{.ids = x.ids.narrow(0, first, count),
                       .lengths = x.lengths.narrow(0, first, count),
                       .noise = noise};
    };
    return model->decode(part(to_all), model->encode(part(from_all)));
  };
  const nn::Noise all{.seed = 1, .step = 4, .examples = torch::tensor({11, 5, 7}, torch::kLong)};
  const nn::Noise last{.seed = 1, .step = 4, .examples = torch::tensor({5, 7}, torch::kLong)};
  const auto whole = run(&all, 0, 3);
  REQUIRE(test::max_diff(whole.narrow(0, 1, 2), run(&last, 1, 2)) < 1e-5);
  REQUIRE(test::max_diff(whole, run(nullptr, 0, 3)) > 1e-3);
}

TEST_CASE("one batch is learned by heart", "[model][rnn_translator][train]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(1);
  const auto model = test::rnn_translator(variant);
  const auto [source, target] = make_rnn_batch();
  const auto answers = torch::randint(4, test::kPieces, {3, 6}, torch::kLong);
  const auto real = torch::arange(6) < target.lengths.unsqueeze(1);
  const auto loss = [&, &from = source, &to = target] {
    const auto log_p = rnn_log_probs(*model, model->decode(to, model->encode(from)));
    return -log_p.gather(2, answers.unsqueeze(2)).squeeze(2).masked_select(real).mean();
  };
  std::vector<torch::Tensor> mean;
  std::vector<torch::Tensor> square;
  for (const auto& parameter : model->parameters()) {
    mean.push_back(torch::zeros_like(parameter));
    square.push_back(torch::zeros_like(parameter));
  }
  for (int step = 1; step <= 200; ++step) {
    model->zero_grad();
    loss().backward();
    const torch::NoGradGuard no_grad;
    const auto parameters = model->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {  // Adam
      const auto& gradient = parameters[i].grad();
      mean[i].mul_(0.9).add_(gradient, 0.1);
      square[i].mul_(0.99).addcmul_(gradient, gradient, 0.01);
      const double correction = std::sqrt(1.0 - std::pow(0.99, step)) / (1.0 - std::pow(0.9, step));
      parameters[i].sub_(0.02 * correction * mean[i] / (square[i].sqrt() + 1e-8));
    }
  }
  REQUIRE(loss().item<double>() < 0.1);
}

TEST_CASE("rnn: under bf16 autocast features stay near fp32, and gradients are fp32 and finite",
          "[model][rnn_translator][property]") {
  const auto variant = GENERATE(range(0, test::kRnnVariants));
  CAPTURE(variant);
  torch::manual_seed(1);
  const auto model = test::rnn_translator(variant);
  const auto [source, target] = make_rnn_batch();
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

TEST_CASE("what is to forget or round keys is refused", "[model][rnn_translator][unit]") {
  const auto model = test::rnn_translator(0);
  const auto memory = model->encode(test::random_sequences({2}, 2));
  REQUIRE_THROWS_AS(model->start(memory, 4, {.max = 8}), ConfigError);
  REQUIRE_THROWS_WITH(model->start(memory, 4, {.precision = nn::CacheOptions::Precision::kInt8}),
                      test::ContainsSubstring("decode.cache_precision: a recurrent model keeps"));
  const auto state = model->start(memory, 4);
  REQUIRE_THROWS_WITH(model->step(torch::tensor({1, 2}, torch::kLong), *state),
                      test::ContainsSubstring("for 1 hypotheses"));
}

TEST_CASE("the same seed builds the same recurrent model, another one another",
          "[model][rnn_translator][unit]") {
  const auto a = test::rnn_translator(2, 7)->parameters();
  const auto b = test::rnn_translator(2, 7)->parameters();
  const auto c = test::rnn_translator(2, 8)->parameters();
  for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(torch::equal(a[i], b[i]));
  REQUIRE_FALSE(torch::equal(a[0], c[0]));
}

}  // namespace
}  // namespace heed::model
