#include "inspect/attention_trace.h"

#include <cmath>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "pipeline/tiny_run.h"
#include "support/catch.h"
#include "support/close.h"

namespace heed::inspect {
namespace {

pipeline::Run make_run(const test::TemporaryDirectory& directory, const std::string& task) {
  return test::make_tiny_run(directory.path() / "run", test::tiny_config(task));
}

/// In [0, 1], rows sum to 1, and as many of each as the sentence has tokens.
void require_weights(const model::Trace::Layer& layer, int64_t queries, int64_t keys) {
  const auto& weights = layer.parts.weights;
  REQUIRE(weights.sizes() == std::vector<int64_t>{1, 2, queries, keys});
  REQUIRE(weights.min().item<double>() >= 0.0);
  REQUIRE(weights.max().item<double>() <= 1.0);
  REQUIRE(test::max_diff(weights.sum(-1), torch::ones({1, 2, queries})) < 1e-5);
}

TEST_CASE("the trace of a translation holds every layer and kind of what the search found",
          "[inspect][trace][property]") {
  const int64_t beam_size = GENERATE(1, 4);
  CAPTURE(beam_size);
  torch::manual_seed(1);
  const test::TemporaryDirectory directory;
  auto run = make_run(directory, "translate");
  run.config.decode.beam_size = beam_size;
  const std::vector<std::string> lines{"the bird", test::tiny_sentence(9), "dog"};
  const auto found = pipeline::Translator(run, run.config.decode).translate(lines);

  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto sentence = trace_translation(run, lines[i], found[i]);
    REQUIRE(sentence.source.text == lines[i]);
    REQUIRE(sentence.target->text.text == found[i].text());
    REQUIRE(sentence.target->text.ids() == found[i].best[0].ids);
    REQUIRE(sentence.target->score == found[i].best[0].score);

    const auto source = std::ssize(found[i].source.ids) + 1;
    const auto target = std::ssize(found[i].best[0].ids);
    REQUIRE(std::ssize(sentence.source.tokens) == source);
    std::set<std::pair<std::string, int64_t>> kinds;
    for (const auto& layer : sentence.trace.layers) {
      kinds.emplace(layer.kind, layer.layer);
      require_weights(layer, layer.kind == "encoder" ? source : target,
                      layer.kind == "decoder" ? target : source);
    }
    const std::set<std::pair<std::string, int64_t>> expected{
        {"encoder", 0}, {"decoder", 0}, {"decoder", 1}, {"cross", 0}, {"cross", 1}};
    REQUIRE(kinds == expected);
  }
}

TEST_CASE("a bounded cache shows in the weights, and the scores are those of the search",
          "[inspect][trace][property]") {
  const int64_t max = GENERATE(1, 3, 5);
  CAPTURE(max);
  const test::TemporaryDirectory directory;
  auto run = make_run(directory, "translate");
  run.config.decode.cache_max = max;
  run.config.decode.max_len = 12;
  const auto found = pipeline::Translator(run, run.config.decode).translate({"the old dog"}).at(0);
  const auto sentence = trace_translation(run, "the old dog", found);
  const auto sinks = std::min<int64_t>(4, max / 2);
  for (const auto& layer : sentence.trace.layers) {
    if (layer.kind != "decoder") continue;
    const auto& weights = layer.parts.weights;  // [1, H, T, T]
    const auto key = torch::arange(weights.size(3));
    const auto past = key.unsqueeze(1) - key;
    const auto kept = (past >= 0) & ((key < sinks) | (past < max - sinks));
    REQUIRE(weights.masked_select(~kept).abs().sum().item<double>() == 0.0);
    REQUIRE((weights.masked_select(kept) > 0.0).all().item<bool>());
    REQUIRE(test::max_diff(weights.sum(-1), torch::ones_like(weights.sum(-1))) < 1e-5);
  }
}

TEST_CASE("decoder attention never looks ahead", "[inspect][trace][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = make_run(directory, "translate");
  const auto sentence = trace_target(run, "the old dog", "a bird sings in the tree", {});
  for (const auto& layer : sentence.trace.layers) {
    if (layer.kind != "decoder") continue;
    REQUIRE(layer.parts.weights.triu(1).abs().max().item<double>() == 0.0);
  }
}

TEST_CASE("a search whose scores differ from one whole pass is a bug", "[inspect][trace][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = make_run(directory, "translate");
  auto found = pipeline::Translator(run, run.config.decode).translate({"the old dog"}).at(0);
  found.best[0].token_scores[0] += 0.01;
  REQUIRE_THROWS_AS(trace_translation(run, "the old dog", found), std::logic_error);
}

TEST_CASE("a given target is scored as the search would score it", "[inspect][trace][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = make_run(directory, "translate");
  const auto found = pipeline::Translator(run, run.config.decode).translate({"the old dog"}).at(0);
  const auto searched = trace_translation(run, "the old dog", found);
  if (searched.target->at_limit) return;
  const auto given = trace_target(run, "the old dog", found.text(), {});
  REQUIRE(given.target->text.ids() == searched.target->text.ids());
  REQUIRE(std::abs(given.target->score - searched.target->score) < 1e-4);
}

TEST_CASE("an empty target is EOS alone, a blank source has nothing to attend to",
          "[inspect][trace][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = make_run(directory, "translate");
  const auto empty = trace_target(run, "the old dog", "", {});
  REQUIRE(empty.target->text.ids() == std::vector<int64_t>{text::kEnd});

  const auto found = pipeline::Translator(run, run.config.decode).translate({"  "}).at(0);
  const auto blank = trace_translation(run, "  ", found);
  REQUIRE(blank.source.tokens.empty());
  REQUIRE(blank.target->text.tokens.empty());
  REQUIRE(blank.trace.layers.empty());
  REQUIRE(trace_target(run, "", "the dog", {}).trace.layers.empty());
}

TEST_CASE("a classifier's trace has encoder attention over the sentence's own tokens",
          "[inspect][trace][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = make_run(directory, "classify");
  const auto sentence = trace_label(run, "the old dog sees", {});
  REQUIRE(sentence.trace.layers.size() == 1);
  REQUIRE(sentence.trace.layers[0].kind == "encoder");
  require_weights(sentence.trace.layers[0], 5, 5);
  REQUIRE_FALSE(sentence.target.has_value());

  REQUIRE(sentence.prediction.size() == 3);
  const auto found = pipeline::Labeler(run, run.config.decode).label({"the old dog sees"}).at(0);
  double last = 1.0;
  for (const auto& [id, label, probability] : sentence.prediction) {
    REQUIRE(label == run.labels[id]);
    REQUIRE(std::abs(probability - found.probabilities[id]) < 1e-6);
    REQUIRE(probability <= last);
    last = probability;
  }
  REQUIRE(trace_label(run, " ", {}).prediction.empty());
}

TEST_CASE("texts over max_len are cut and marked, or refused", "[inspect][trace][unit]") {
  const std::string task = GENERATE("translate", "classify");
  CAPTURE(task);
  const test::TemporaryDirectory directory;
  auto run = make_run(directory, task);
  const auto trace = [&](int64_t words) {
    const auto line = test::tiny_sentence(words);
    return task == "translate" ? trace_target(run, line, "a bird", {"in", 3})
                               : trace_label(run, line, {"in", 3});
  };
  for (const int64_t words : {13, 14, 15, 16, 17, 200}) {
    const auto source = trace(words).source;
    REQUIRE(source.truncated == (words > 16));
    REQUIRE(std::ssize(source.tokens) == std::min<int64_t>(words, 16) + 1);
    REQUIRE(source.tokens.back().id == text::kEnd);
  }
  run.config.decode.overlong = "error";
  REQUIRE_NOTHROW(trace(16));
  REQUIRE_THROWS_WITH(trace(17), test::ContainsSubstring("in:3: 17 tokens"));
}

}  // namespace
}  // namespace heed::inspect
