#include "inspect/verify.h"

#include <algorithm>

#include "base/error.h"
#include "inspect/planted_translator.h"
#include "inspect/verified_models.h"
#include "model/attention_registry.h"
#include "pipeline/tiny_run.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

std::vector<std::string> failed(const std::vector<Check>& checks) {
  std::vector<std::string> names;
  for (const auto& check : checks) {
    if (check.failed()) names.push_back(check_line(check));
  }
  return names;
}

const Check& named(const std::vector<Check>& checks, const std::string& name) {
  const auto found = std::ranges::find_if(checks, [&](const auto& c) { return c.name == name; });
  REQUIRE(found != checks.end());
  return *found;
}

TEST_CASE("fresh models of both tasks pass, and say what does not apply",
          "[inspect][verify][property]") {
  const auto translator = verify(test::small_model("translate"));
  REQUIRE(failed(translator) == std::vector<std::string>{});
  REQUIRE(check_counts(translator) == "18 pass, 0 fail, 1 n/a");
  const auto& order = named(translator, "without positions, order changes nothing");
  REQUIRE(order.reason == "model.positions is sinusoidal");

  const auto classifier = verify(test::small_model("classify"));
  REQUIRE(failed(classifier) == std::vector<std::string>{});
  REQUIRE(named(classifier, "cached equals uncached decoding").result() == "n/a");
  REQUIRE(named(classifier, "later tokens change nothing before them").result() == "n/a");
}

TEST_CASE("every variant passes in both tasks", "[inspect][verify][property]") {
  const auto type = GENERATE(from_range(model::attention_types()));
  const std::string task = GENERATE("translate", "classify");
  CAPTURE(type, task);
  const auto checks = verify(test::small_model(task, [&](config::Model& model) {
    model.attention.type = type;
    model.dropout = 0.1;
    if (type == "single_head") model.heads = 1;
    model.attention.window = 2;
    model.attention.random = 2;
    model.attention.block = 3;
    if (type == "longformer" || type == "bigbird") model.attention.global_positions = {0};
    if (type == "top_k") model.attention.top_k = 3;
  }));
  REQUIRE(failed(checks) == std::vector<std::string>{});
}

TEST_CASE("variants in linear time pass on texts of several blocks",
          "[inspect][verify][property]") {
  const std::string type = GENERATE("window", "longformer", "bigbird", "linear");
  CAPTURE(type);
  config::Run config;
  config.data.max_len = 400;
  config.tokenizer.vocab_size = 30;
  config.model = {.d_model = 16, .heads = 2, .d_ff = 32, .enc_layers = 1, .dec_layers = 1};
  config.model.attention.type = type;
  config.model.attention.window = 20;
  config.model.attention.random = 8;
  if (type == "longformer") config.model.attention.global_tokens = {"word"};
  if (type == "bigbird") config.model.attention.global_positions = {0, 7};
  REQUIRE(failed(verify(verified(config, torch::kCPU))) == std::vector<std::string>{});
}

TEST_CASE("every way to tell positions passes, with either norm", "[inspect][verify][property]") {
  const std::string positions =
      GENERATE("sinusoidal", "learned", "none", "rotary", "alibi", "relative");
  const std::string norm = GENERATE("pre", "post");
  const std::string task = GENERATE("translate", "classify");
  CAPTURE(positions, norm, task);
  const auto checks = verify(test::small_model(task, [&](config::Model& model) {
    model.positions = positions;
    model.norm_position = norm;
    model.kv_heads = 1;
    model.pooling = "cls";
  }));
  REQUIRE(failed(checks) == std::vector<std::string>{});
  const bool blind = positions == "none";
  REQUIRE(named(checks, "without positions, order changes nothing").applies() == blind);
  REQUIRE(named(checks, "with positions, swapped tokens change others").applies() != blind);
}

TEST_CASE("each way a mask can be wrong is caught, wherever it is", "[inspect][verify][property]") {
  const auto fault = GENERATE(test::MaskFault::kMissing, test::MaskFault::kInverted,
                              test::MaskFault::kFirstRowForAll, test::MaskFault::kFirstHeadOnly);
  const std::string kind = GENERATE("encoder", "decoder", "cross");
  CAPTURE(test::name_of(fault), kind);
  test::Planted planted;
  (kind == "encoder"   ? planted.encoder
   : kind == "decoder" ? planted.decoder
                       : planted.cross) = fault;
  const auto checks = verify(test::planted(planted));
  const std::vector<std::string> of_masks{
      "rows of weights sum to 1, or to 0 without keys", "hidden weights are 0",
      "later tokens change nothing before them",        "tokens in the padding change nothing",
      "a text alone equals the text in a batch",        "cached equals uncached decoding"};
  REQUIRE(std::ranges::any_of(of_masks,
                              [&](const auto& name) { return named(checks, name).failed(); }));
}

TEST_CASE("the translator that faults are planted in passes without them",
          "[inspect][verify][property]") {
  REQUIRE(failed(verify(test::planted({}))) == std::vector<std::string>{});
}

TEST_CASE("verifying a run leaves its weights and its mode as they were",
          "[inspect][verify][unit]") {
  const std::string task = GENERATE("translate", "classify");
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config(task));
  const auto subject = verified(run);
  auto before = checkpoint::named_tensors(subject.model.module());
  for (auto& [name, tensor] : before) tensor = tensor.detach().clone();
  REQUIRE(failed(verify(subject)) == std::vector<std::string>{});
  for (const auto& item : subject.model.module().named_parameters()) {
    REQUIRE_FALSE(item.value().grad().defined());
  }
  for (const auto& [name, tensor] : checkpoint::named_tensors(subject.model.module())) {
    REQUIRE(tensor.equal(before.at(name)));
  }
  REQUIRE_FALSE(subject.model.module().is_training());
}

/// A classifier that breaks off.
class Broken final : public model::Classifier {
 public:
  torch::Tensor pool(const model::Sequences&) override {
    TORCH_CHECK(false, "query depth 3 != key depth 4");
  }
  torch::Tensor output_weight() const override { return torch::zeros({3, 16}); }
  torch::Tensor output_bias() const override { return {}; }
  torch::Tensor logits(const torch::Tensor& features) const override { return features; }
};

TEST_CASE("a check that LibTorch breaks off has failed, with its first line",
          "[inspect][verify][unit]") {
  auto subject = test::small_model("classify");
  subject.model = Subject(std::make_shared<Broken>());
  const auto checks = verify(subject);
  const auto& padding = named(checks, "tokens in the padding change nothing");
  REQUIRE(padding.failed());
  REQUIRE(padding.reason == "query depth 3 != key depth 4");
}

TEST_CASE("a recurrent model passes what applies, and says why the rest does not",
          "[inspect][verify][property]") {
  const auto task = GENERATE("translate", "classify");
  const auto attention = GENERATE("additive", "dot", "general");
  const auto cell = GENERATE("lstm", "gru");
  const auto feeding = GENERATE(false, true);
  CAPTURE(task, attention, cell, feeding);
  const auto checks = verify(test::small_model(task, [&](config::Model& model) {
    model.type = "rnn";
    model.rnn.attention = attention;
    model.rnn.cell = cell;
    model.rnn.input_feeding = feeding;
  }));
  REQUIRE(failed(checks) == std::vector<std::string>{});
  int skipped = 0;
  for (const auto& check : checks) {
    if (check.applies()) continue;
    CAPTURE(check.name);
    REQUIRE_FALSE(check.reason.empty());
    ++skipped;
  }
  REQUIRE(skipped == (std::string(task) == "translate" ? 4 : 6));  // no future, no cache
  REQUIRE(named(checks, "with positions, swapped tokens change others").applies());
}

TEST_CASE("a config whose shape can't be is refused", "[inspect][verify][unit]") {
  REQUIRE_THROWS_AS(
      test::small_model("translate", [](config::Model& model) { model.attention.type = "none"; }),
      ConfigError);
}

}  // namespace
}  // namespace heed::inspect
