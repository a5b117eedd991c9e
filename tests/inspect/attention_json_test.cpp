#include "inspect/attention_json.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "pipeline/tiny_run.h"
#include "support/catch.h"

namespace heed::inspect {
namespace {

using Json = nlohmann::json;

Json write(const pipeline::Run& run, const std::vector<TracedSentence>& sentences) {
  std::string text;
  AttentionJson json([&text](std::string_view part) { text += part; }, run);
  for (const auto& sentence : sentences) json.add(sentence);
  json.finish();
  return Json::parse(text);  // throws for anything but strict JSON
}

TracedSentence translated(const pipeline::Run& run, const std::string& line) {
  const auto found = pipeline::Translator(run, run.config.decode).translate({line});
  return trace_translation(run, line, found.at(0));
}

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  return keys;  // sorted
}

void require_side(const Json& side) {
  const auto length = std::ssize(code_points(side["text"].get<std::string>()));
  REQUIRE(side["tokens"].size() == side["ids"].size());
  REQUIRE(side["tokens"].size() == side["special"].size());
  REQUIRE(side["tokens"].size() == side["offsets"].size());
  for (std::size_t i = 0; i < side["offsets"].size(); ++i) {
    const auto begin = side["offsets"][i][0].get<int64_t>();
    const auto end = side["offsets"][i][1].get<int64_t>();
    REQUIRE(0 <= begin);
    REQUIRE(end <= length);
    REQUIRE((side["special"][i].get<bool>() ? begin == end : begin <= end));
  }
}

TEST_CASE("the JSON of a translation has the keys, sizes and labels of heed.attention/1",
          "[inspect][attention_json][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config("translate"));
  const auto json = write(run, {translated(run, "the old dog"), translated(run, "a bird")});

  REQUIRE(json["format"] == "heed.attention/1");
  REQUIRE(json["task"] == "translate");
  REQUIRE(json["run"] == run.dir.string());
  REQUIRE(json["checkpoint"] == "step-000005");
  const Json model{{"type", "transformer"}, {"enc_layers", 1}, {"dec_layers", 2}, {"heads", 2}};
  REQUIRE(json["model"] == model);
  REQUIRE(json["sentences"].size() == 2);

  for (const auto& sentence : json["sentences"]) {
    const auto& source = sentence["source"];
    const auto& target = sentence["target"];
    REQUIRE(keys(sentence) ==
            std::vector<std::string>{"attention", "prediction", "source", "target"});
    REQUIRE(sentence["prediction"].is_null());
    require_side(source);
    require_side(target);
    REQUIRE(source["tokens"].back() == "</s>");
    REQUIRE(source["special"].back() == true);

    REQUIRE(target["input_tokens"].size() == target["tokens"].size());
    REQUIRE(target["input_tokens"][0] == "<s>");
    REQUIRE(target["input_ids"][0] == 2);
    for (std::size_t i = 1; i < target["tokens"].size(); ++i) {
      REQUIRE(target["input_tokens"][i] == target["tokens"][i - 1]);
      REQUIRE(target["input_ids"][i] == target["ids"][i - 1]);
    }
    REQUIRE(target["token_scores"].size() == target["tokens"].size());
    REQUIRE(target["score"].is_number());

    REQUIRE(sentence["attention"].size() == (1 + 2 + 2) * 2);
    for (const auto& entry : sentence["attention"]) {
      REQUIRE(keys(entry) == std::vector<std::string>{"head", "kind", "layer", "weights"});
      const auto& rows = entry["kind"] == "encoder" ? source["tokens"] : target["tokens"];
      const auto& columns = entry["kind"] == "decoder" ? target["input_tokens"] : source["tokens"];
      REQUIRE(entry["weights"].size() == rows.size());
      for (const auto& row : entry["weights"]) {
        REQUIRE(row.size() == columns.size());
        double sum = 0.0;
        for (const auto& weight : row) {
          REQUIRE((0.0 <= weight.get<double>() && weight.get<double>() <= 1.0));
          sum += weight.get<double>();
        }
        REQUIRE(std::abs(sum - 1.0) < 1e-5);
      }
    }
  }
}

TEST_CASE("source offsets cut the words out of the text", "[inspect][attention_json][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config("classify"));
  const std::string line = "the  öld bird";
  const auto json = write(run, {trace_label(run, line, {})});
  const auto& source = json["sentences"][0]["source"];
  const auto text = code_points(line);
  std::vector<std::string> words;
  for (const auto& range : source["offsets"]) {
    const auto begin = range[0].get<int64_t>();
    words.push_back(to_utf8(text.substr(begin, range[1].get<int64_t>() - begin)));
  }
  REQUIRE(words == std::vector<std::string>{"the", "öld", "bird", ""});
}

TEST_CASE("a classifier has a prediction and no target", "[inspect][attention_json][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config("classify"));
  const auto json = write(run, {trace_label(run, "the old dog", {}), trace_label(run, "", {})});
  REQUIRE(json["model"]["dec_layers"] == 0);

  const auto& sentence = json["sentences"][0];
  REQUIRE(sentence["target"].is_null());
  REQUIRE(sentence["prediction"]["labels"].size() == 3);
  REQUIRE(sentence["prediction"]["label"] == sentence["prediction"]["labels"][0]);
  double sum = 0.0;
  for (const auto& probability : sentence["prediction"]["probabilities"]) {
    sum += probability.get<double>();
  }
  REQUIRE(std::abs(sum - 1.0) < 1e-5);
  for (const auto& entry : sentence["attention"]) REQUIRE(entry["kind"] == "encoder");

  const auto& blank = json["sentences"][1];
  REQUIRE(blank["prediction"].is_null());
  REQUIRE(blank["attention"].empty());
  REQUIRE(blank["source"]["tokens"].empty());
}

TEST_CASE("the tokens of two texts say which they are from", "[inspect][attention_json][unit]") {
  const test::TemporaryDirectory directory;
  auto config = test::tiny_config("classify");
  config.data.second = "other";
  const auto run = test::make_tiny_run(directory.path() / "run", config);
  const auto json = write(run, {trace_label(run, "the old dog\ta bird", {})});
  const auto& source = json["sentences"][0]["source"];
  REQUIRE(source["tokens"] == Json{"the", "old", "dog", "</s>", "a", "bird", "</s>"});
  REQUIRE(source["segments"] == Json{0, 0, 0, 0, 1, 1, 1});
}

TEST_CASE("whatever a text holds, the JSON is strict and gives it back",
          "[inspect][attention_json][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config("classify"));
  const std::vector<std::string> lines{
      "a<b<c </script><script>document.title=\"pwned\"</script> & \"q\" 'x' \xe2\x80\xa8",
      "back\\slash \x01 \x7f tab\t end", "{ null true 1e5 : # ` ~ }", "𝄞 é \xef\xbf\xbd",
      std::string("nul\0inside", 10)};
  std::vector<TracedSentence> sentences;
  for (const auto& line : lines) sentences.push_back(trace_label(run, line, {}));
  const auto json = write(run, sentences);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    REQUIRE(json["sentences"][i]["source"]["text"] == lines[i]);
    require_side(json["sentences"][i]["source"]);
  }
}

TEST_CASE("a number that is not finite is null", "[inspect][attention_json][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config("translate"));
  auto sentence = trace_target(run, "the dog", "a bird", {});
  sentence.target->score = -std::numeric_limits<double>::infinity();
  sentence.target->token_scores[0] = std::nan("");
  auto& weights = sentence.trace.layers[0].parts.weights;
  weights = weights.clone();
  weights[0][0][0][0] = std::nan("");
  const auto json = write(run, {sentence})["sentences"][0];
  REQUIRE(json["target"]["score"].is_null());
  REQUIRE(json["target"]["token_scores"][0].is_null());
  REQUIRE(json["attention"][0]["weights"][0][0].is_null());
}

TEST_CASE("weights keep seven digits", "[inspect][attention_json][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config("classify"));
  const auto sentence = trace_label(run, "the old dog sees a small bird", {});
  const auto json = write(run, {sentence})["sentences"][0]["attention"];
  const auto weights = sentence.trace.layers[0].parts.weights[0];
  for (int64_t head = 0; head < 2; ++head) {
    for (int64_t q = 0; q < weights.size(1); ++q) {
      for (int64_t k = 0; k < weights.size(2); ++k) {
        const auto written = json[head]["weights"][q][k].get<double>();
        const auto weight = weights[head][q][k].item<double>();
        REQUIRE(std::abs(written - weight) <= 1e-6 * weight);
      }
    }
  }
}

TEST_CASE("a document without sentences is whole", "[inspect][attention_json][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config("classify"));
  REQUIRE(write(run, {})["sentences"].empty());
}

}  // namespace
}  // namespace heed::inspect
