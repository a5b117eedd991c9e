#include "pipeline/translator.h"

#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "pipeline/echo_model.h"
#include "pipeline/tiny_run.h"
#include "support/catch.h"
#include "text/lines.h"

namespace heed::pipeline {
namespace {

std::vector<std::string> texts(const std::vector<Translation>& translations) {
  std::vector<std::string> texts;
  for (const auto& translation : translations) texts.push_back(translation.text());
  return texts;
}

/// Lines that a model echoes: every fourth is empty, the others tell their number.
std::vector<std::string> numbered_lines(int64_t count) {
  std::vector<std::string> lines;
  for (int64_t i = 1; i <= count; ++i) {
    lines.push_back(i % 4 == 0 ? "" : "w" + std::to_string(i));
    for (int64_t extra = 0; extra < i % 3 && i % 4 != 0; ++extra) lines.back() += " x";
  }
  return lines;
}

Translator::Parts echo_parts(const std::vector<std::string>& lines) {
  const auto tokenizer = text::make_tokenizer(test::tokenizer_config("whitespace", 5000), lines);
  return {.model = std::make_shared<test::EchoModel>(tokenizer->size()),
          .tokenizers = {tokenizer, tokenizer},
          .data = {.max_len = 16}};
}

Translator::Parts tiny_parts(const config::Run& config) {
  const auto tokenizers = test::tiny_tokenizers(config);
  const auto model =
      model::build_encoder_decoder(config.model, test::tiny_sizes(config, tokenizers), 3);
  test::stir(*model);
  return {.model = model, .tokenizers = tokenizers, .data = config.data};
}

TEST_CASE("a line over the limit is answered whole under the rule split",
          "[pipeline][translator][unit]") {
  std::string line;
  for (int i = 0; i < 70; ++i) line += "w" + std::to_string(i) + " ";
  line.pop_back();
  const auto parts = echo_parts({line});
  const Translator translator(parts, {.beam_size = 2, .overlong = "split"}, 1);
  const auto found = translator.translate({"w1 w2", line, "", "w3"});
  REQUIRE(texts(found) == std::vector<std::string>{"w1 w2", line, "", "w3"});
  REQUIRE(found[1].source.parts == 5);  // of at most 16 tokens
  REQUIRE(found[1].source.tokens == 70);
  REQUIRE_FALSE(found[1].source.truncated());
  REQUIRE(found[1].best[0].token_scores.size() == found[1].best[0].ids.size());
  REQUIRE(found[0].source.parts == 1);

  const Translator cutting(parts, {.beam_size = 2}, 1);
  REQUIRE(cutting.translate({line})[0].source.truncated());
}

TEST_CASE("a source is read behind its prefix, and a target shown without",
          "[pipeline][translator][unit]") {
  auto parts = echo_parts({"<de> w1 w2", "w3"});
  parts.data.source_prefix = "<de>";
  REQUIRE(Translator(parts, {.beam_size = 2}, 1).translate({"w1 w2"})[0].text() == "<de> w1 w2");
  parts.data.target_prefix = "<de>";
  const auto found = Translator(parts, {.beam_size = 2}, 1).translate({"w1 w2", "", "w3"});
  REQUIRE(texts(found) == std::vector<std::string>{"w1 w2", "", "w3"});
  REQUIRE(found[0].source.tokens == 3);
}

TEST_CASE("line i of the output belongs to line i of the input, blank lines between",
          "[pipeline][translator][property]") {
  const int64_t batch_size = GENERATE(1, 16, 64);
  const int64_t chunk = GENERATE(1300, 1000, 7);
  const int64_t workers = GENERATE(1, 2);
  CAPTURE(batch_size, chunk, workers);
  const auto lines = numbered_lines(1300);
  const Translator translator(echo_parts(lines), {.beam_size = 2, .batch_size = batch_size},
                              workers);
  std::vector<std::string> found;
  for (int64_t start = 0; start < std::ssize(lines); start += chunk) {
    const auto end = std::min(start + chunk, std::ssize(lines));
    const auto part = translator.translate({lines.begin() + start, lines.begin() + end});
    for (const auto& text : texts(part)) found.push_back(text);
  }
  REQUIRE(found == lines);
}

TEST_CASE("lines of white space give empty lines and leave the others alone",
          "[pipeline][translator][unit]") {
  const int64_t beam_size = GENERATE(1, 3);
  const auto config = test::tiny_config("translate");
  const Translator translator(tiny_parts(config), {.beam_size = beam_size});
  const std::vector<std::string> lines{"the old dog", "", "   ", "\t\xe2\x80\xa8", "a bird"};
  const auto found = texts(translator.translate(lines));
  REQUIRE(found.size() == 5);
  REQUIRE(found[1].empty());
  REQUIRE(found[2].empty());
  REQUIRE(found[3].empty());
  REQUIRE(found[0] == texts(translator.translate({lines[0]}))[0]);
  REQUIRE(found[4] == texts(translator.translate({lines[4]}))[0]);
  REQUIRE(translator.translate({}).empty());
}

TEST_CASE("a file of n lines gives n results, with and without a last newline",
          "[pipeline][translator][unit]") {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "in";
  const Translator translator(echo_parts({"a b"}), {.beam_size = 1});
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"a\nb", {"a", "b"}}, {"a\nb\n", {"a", "b"}}, {"a\nb\n\n", {"a", "b", ""}}, {"", {}}};
  for (const auto& [bytes, expected] : cases) {
    CAPTURE(bytes);
    replace_file(file, bytes);
    REQUIRE(texts(translator.translate(text::LineReader(file.string()).take(100))) == expected);
  }
}

TEST_CASE("results don't depend on batch size, order, workers or threads",
          "[pipeline][translator][property]") {
  const int64_t beam_size = GENERATE(1, 4);
  CAPTURE(beam_size);
  torch::manual_seed(1);
  auto config = test::tiny_config("translate");
  config.data.max_len = 32;
  const auto parts = tiny_parts(config);
  std::vector<std::string> lines;
  for (int64_t i = 0; i < 50; ++i) lines.push_back(test::tiny_sentence(1 + i % 30));

  config::Decode options{.beam_size = beam_size, .n_best = beam_size, .batch_size = 1};
  const auto alone = Translator(parts, options, 1).translate(lines);
  for (const int64_t workers : {1, 3}) {
    for (const int64_t batch_size : {3, 50}) {
      CAPTURE(workers, batch_size);
      options.batch_size = batch_size;
      const auto found = Translator(parts, options, workers).translate(lines);
      REQUIRE(texts(found) == texts(alone));
      for (std::size_t i = 0; i < lines.size(); ++i) {
        REQUIRE(std::abs(found[i].best[0].score - alone[i].best[0].score) < 1e-4);
      }
    }
  }
}

TEST_CASE("texts over max_len are cut, marked, and leave other lines alone",
          "[pipeline][translator][unit]") {
  const std::string positions = GENERATE("sinusoidal", "learned", "none");
  CAPTURE(positions);
  torch::manual_seed(1);
  auto config = test::tiny_config("translate");
  config.model.positions = positions;
  const auto parts = tiny_parts(config);
  std::vector<std::string> lines;
  for (const int64_t words : {13, 14, 15, 16, 17, 200}) lines.push_back(test::tiny_sentence(words));

  const Translator translator(parts, {.beam_size = 2});
  const auto found = translator.translate(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CAPTURE(i);
    REQUIRE(found[i].source.truncated() == (i >= 4));
    REQUIRE(found[i].text() == texts(translator.translate({lines[i]}))[0]);
    REQUIRE(std::ssize(found[i].best[0].ids) <= 17);
  }
  REQUIRE(found[5].source.tokens == 200);

  const Translator strict(parts, {.beam_size = 2, .overlong = "error"});
  REQUIRE_THROWS_WITH(strict.translate(lines, {"in.en", 1}),
                      test::ContainsSubstring("in.en:5: 17 tokens"));
}

TEST_CASE("the limit on results is kept and marked", "[pipeline][translator][unit]") {
  const int64_t beam_size = GENERATE(1, 2);
  const Translator translator(echo_parts({"a b c d"}), {.beam_size = beam_size, .max_len = 3});
  const auto found = translator.translate({"a b c d", "a b"});
  REQUIRE(found[0].text() == "a b c");
  REQUIRE(found[0].best[0].at_limit);
  REQUIRE(found[1].text() == "a b");
  REQUIRE_FALSE(found[1].best[0].at_limit);
}

TEST_CASE("more answers than hypotheses are refused, naming both", "[pipeline][translator][unit]") {
  const config::Decode options{.beam_size = 3, .n_best = 5};
  REQUIRE_THROWS_AS(Translator(echo_parts({"a"}), options), ConfigError);
  REQUIRE_THROWS_WITH(Translator(echo_parts({"a"}), options),
                      test::ContainsSubstring("5") && test::ContainsSubstring("3"));
}

TEST_CASE("a model in training answers as in eval mode, and stays in training",
          "[pipeline][translator][unit]") {
  const auto parts = tiny_parts(test::tiny_config("translate"));
  const Translator translator(parts, {.beam_size = 2});
  REQUIRE(parts.model->is_training());
  const auto training = texts(translator.translate(test::kTinyText));
  REQUIRE(parts.model->is_training());
  parts.model->eval();
  REQUIRE(training == texts(translator.translate(test::kTinyText)));
}

TEST_CASE("special tokens in a text are ordinary text", "[pipeline][translator][unit]") {
  const auto config = test::tiny_config("translate");
  const Translator translator(tiny_parts(config), {.beam_size = 1});
  for (const auto& found : translator.translate({"the </s> dog", "<pad>", "<s> <unk>"})) {
    REQUIRE_FALSE(found.source.ids.empty());
    for (const auto id : found.source.ids) {
      REQUIRE((id == text::kUnknown || id >= text::kSpecials));
    }
  }
}

}  // namespace
}  // namespace heed::pipeline
