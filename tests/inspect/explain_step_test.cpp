#include "inspect/explain_step.h"

#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "inspect/wrap.h"
#include "model/attention_registry.h"
#include "pipeline/tiny_run.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::inspect {
namespace {

/// A random run of a variant, and a sentence it read.
struct Traced {
  pipeline::Run run;
  TracedSentence sentence;
};

Traced traced(const std::string& type) {
  const test::TemporaryDirectory directory;
  auto config = test::tiny_config("translate");
  config.model.attention.type = type;
  if (type == "single_head") config.model.heads = 1;
  if (type == "linear") config.model.attention.dropout = 0.0;
  if (type == "top_k") config.model.attention.top_k = 2;
  auto run = test::make_tiny_run(directory.path() / "run", config);
  auto sentence = trace_target(run, "the old dog sees us", "a bird sings", {});
  return {std::move(run), std::move(sentence)};
}

ExplainedStep step_of(const Traced& traced, const StepPlace& place) {
  return explain_step(traced.sentence, traced.run.config.model, *traced.run.tokenizers.target,
                      place);
}

TEST_CASE("of every variant a step's numbers add up to the context",
          "[inspect][explain][property]") {
  const auto type = GENERATE(from_range(model::attention_types()));
  const std::string kind = GENERATE("encoder", "decoder", "cross");
  CAPTURE(type, kind);
  const auto all = traced(type);
  const auto step = step_of(all, {.kind = kind, .token = 2});

  REQUIRE(std::abs(step.weights.sum().item<double>() - 1.0) < 1e-5);
  REQUIRE(test::max_diff(torch::softmax(step.scores, 0), step.weights) < 1e-5);
  const auto sum = (step.weights.unsqueeze(1) * step.value).sum(0);
  REQUIRE(test::max_diff(sum, step.context) < 1e-9);
  REQUIRE(step.key.size(0) == std::ssize(step.keys));
  if (step.products.defined()) {
    const double depth = static_cast<double>(step.query.size(0));
    const auto scaled = type == "dot" ? step.products : step.products / std::sqrt(depth);
    const auto visible = step.scores.isfinite();
    REQUIRE(test::max_diff(scaled.masked_select(visible), step.scores.masked_select(visible)) <
            1e-5);
  }
  const auto text = explained(step);
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    REQUIRE(code_points(text.substr(begin, end - begin)).size() <= kColumns);
    begin = end + 1;
  }
}

TEST_CASE("rows and keys carry the tokens that heed attend writes", "[inspect][explain][unit]") {
  const auto all = traced("multi_head");
  const auto decoder = step_of(all, {.kind = "decoder", .layer = 1, .head = 1, .token = 1});
  REQUIRE(decoder.token == "bird");
  REQUIRE(decoder.reads == "a");
  REQUIRE(decoder.keys == std::vector<std::string>{"<s>", "a", "bird", "sings"});
  REQUIRE(std::isinf(decoder.scores[2].item<double>()));
  const auto text = explained(decoder);
  REQUIRE(text.find("decoder attention (multi_head), layer 1, head 1: 'bird'") != text.npos);
  REQUIRE(decoder.why == std::vector<std::string>{"", "", "later", "later"});
  REQUIRE(text.find("Hidden is later: it was not there yet") != text.npos);

  const auto cross = step_of(all, {.kind = "cross", .token = 3});
  REQUIRE(cross.token == "</s>");
  REQUIRE(cross.reads == "sings");
  REQUIRE(cross.keys == std::vector<std::string>{"the", "old", "dog", "sees", "us", "</s>"});
  const auto encoder = step_of(all, {.token = 1});
  REQUIRE(encoder.token == "old");
  REQUIRE(encoder.reads.empty());
}

TEST_CASE("the JSON has each number, and contributions with the largest first",
          "[inspect][explain][unit]") {
  const auto all = traced("multi_head");
  const auto step = step_of(all, {.kind = "decoder", .token = 1});
  const auto json = explained_json(step);
  REQUIRE(json["text"] == "bird");
  REQUIRE(json["input"] == "a");
  REQUIRE(json["query"].size() == 8);
  REQUIRE(json["key"].size() == 4);
  REQUIRE(json["value"][0].size() == 8);
  REQUIRE(json["scores"].size() == 4);
  REQUIRE(json["scaled_scores"][2].is_null());
  REQUIRE(json["hidden"][1].is_null());
  REQUIRE(json["hidden"][2] == "later");
  REQUIRE(json["weights"][3] == 0.0);
  REQUIRE(json["context"].size() == 8);
  double last = INFINITY;
  for (const auto& entry : json["contributions"]) {
    const auto norm = entry["norm"].get<double>();
    REQUIRE(norm <= last);
    last = norm;
    double square = 0.0;
    for (const auto& x : entry["vector"]) square += x.get<double>() * x.get<double>();
    REQUIRE(std::abs(std::sqrt(square) - norm) < 1e-6);
  }
}

TEST_CASE("the cross attention beside a pattern is called by its own name",
          "[inspect][explain][unit]") {
  const auto all = traced("window");
  REQUIRE(step_of(all, {.kind = "cross"}).type == "multi_head");
  REQUIRE(step_of(all, {.kind = "encoder"}).type == "window");
}

TEST_CASE("a key that a pattern hides is said to be outside", "[inspect][explain][unit]") {
  const test::TemporaryDirectory directory;
  auto config = test::tiny_config("translate");
  config.model.attention.type = "window";
  config.model.attention.window = 1;
  auto run = test::make_tiny_run(directory.path() / "run", config);
  const auto step = explain_step(trace_target(run, "the old dog", "a", {}), config.model,
                                 *run.tokenizers.target, {.token = 0});
  REQUIRE(step.why == std::vector<std::string>{"", "", "outside", "outside"});
  REQUIRE(explained(step).find("   outside") != std::string::npos);
}

TEST_CASE("one token offers, one layer is number 0", "[inspect][explain][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config("classify"));
  auto sentence = trace_label(run, "dog", {});
  const auto& pieces = *run.tokenizers.source;
  REQUIRE_THROWS_WITH(explain_step(sentence, run.config.model, pieces, {.layer = 1}),
                      "--layer: 1, but this kind has 1 layer, number 0");
  auto step = explain_step(sentence, run.config.model, pieces, {});
  step.keys.resize(1);
  step.weights = step.weights.narrow(0, 0, 1);
  step.contributions = step.contributions.narrow(0, 0, 1);
  REQUIRE(explained(step).find("what 1 token offers and hands over") != std::string::npos);
}

TEST_CASE("a place that is not there is refused with the places there are",
          "[inspect][explain][unit]") {
  const auto all = traced("multi_head");
  const auto refused = [&](const StepPlace& place, const std::string& text) {
    REQUIRE_THROWS_WITH(step_of(all, place), test::ContainsSubstring(text));
    REQUIRE_THROWS_AS(step_of(all, place), ConfigError);
  };
  refused({.kind = "decoder", .layer = 2}, "--layer: 2, but this kind has 2 layers, 0 to 1");
  refused({.head = 2}, "--head: 2, but this layer has 2 heads, 0 to 1");
  refused({.token = 6}, "--token: 6, but this text has 6 tokens, 0 to 5");
  refused({.token = -1}, "--token: -1");

  const test::TemporaryDirectory directory;
  const auto classifier =
      test::make_tiny_run(directory.path() / "run", test::tiny_config("classify"));
  const auto sentence = trace_label(classifier, "the old dog", {});
  const auto& pieces = *classifier.tokenizers.source;
  REQUIRE_THROWS_WITH(
      explain_step(sentence, classifier.config.model, pieces, {.kind = "cross"}),
      test::ContainsSubstring("--kind: this model has no 'cross' attention; it has encoder"));
  const auto empty = trace_label(classifier, " ", {});
  REQUIRE_THROWS_WITH(explain_step(empty, classifier.config.model, pieces, {}),
                      test::ContainsSubstring("--source: holds no token"));
}

}  // namespace
}  // namespace heed::inspect
