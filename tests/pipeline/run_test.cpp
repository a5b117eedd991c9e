#include "pipeline/run.h"

#include <fstream>

#include "base/error.h"
#include "pipeline/labeler.h"
#include "pipeline/tiny_run.h"
#include "pipeline/translator.h"
#include "support/catch.h"

namespace heed::pipeline {
namespace {

namespace fs = std::filesystem;
using test::ContainsSubstring;

TEST_CASE("a run opens in eval mode with the weights that were saved, and answers the same twice",
          "[pipeline][run][unit]") {
  const std::string checkpoint = GENERATE("best", "last", "step-5", "step-000005");
  CAPTURE(checkpoint);
  const test::TemporaryDirectory directory;
  const auto config = test::tiny_config("translate");
  const auto made = test::make_tiny_run(directory.path() / "run", config);
  const auto run = open_run(directory.path() / "run", checkpoint, "cpu");

  REQUIRE(run.config == config);
  REQUIRE(run.progress.step == 5);
  REQUIRE_FALSE(run.encoder_decoder->is_training());
  REQUIRE_FALSE(run.classifier);
  const auto tokenizers = test::tiny_tokenizers(config);
  const auto expected =
      model::build_encoder_decoder(config.model, test::tiny_sizes(config, tokenizers), 3);
  test::stir(*expected);
  const auto saved = checkpoint::named_tensors(*expected);
  for (const auto& [name, tensor] : checkpoint::named_tensors(*run.encoder_decoder)) {
    CAPTURE(name);
    REQUIRE(torch::equal(tensor, saved.at(name)));
  }

  const auto texts = [](const Run& opened) {
    std::vector<std::string> found;
    for (const auto& translation :
         Translator(opened, opened.config.decode).translate(test::kTinyText)) {
      found.push_back(translation.text());
    }
    return found;
  };
  REQUIRE(texts(run) == texts(made));
  REQUIRE(texts(run) == texts(run));
}

TEST_CASE("a classifier's run brings its labels", "[pipeline][run][unit]") {
  const test::TemporaryDirectory directory;
  const auto run = test::make_tiny_run(directory.path() / "run", test::tiny_config("classify"));
  REQUIRE(run.labels == std::vector<std::string>{"neg", "neutral", "pos"});
  REQUIRE(run.classifier);
  REQUIRE_FALSE(run.classifier->is_training());
  REQUIRE(Labeler(run, {}).label({"the old dog"}).at(0).probabilities.size() == 3);
  REQUIRE_THROWS_AS(require_task(run, "translate", "translate"), ConfigError);
  REQUIRE_NOTHROW(require_task(run, "classify", "classify"));
}

TEST_CASE("what is no run is refused in one line that names it", "[pipeline][run][unit]") {
  const test::TemporaryDirectory directory;
  const auto& path = directory.path();
  replace_file(path / "file", "text");
  for (const auto* name : {"absent", "file", ""}) {
    CAPTURE(name);
    REQUIRE_THROWS_AS(open_run(path / name, "last", "cpu"), CheckpointError);
    REQUIRE_THROWS_WITH(open_run(path / name, "last", "cpu"),
                        ContainsSubstring((path / name).string()));
  }
}

TEST_CASE("damage to any file of a run is found and the file named", "[pipeline][run][unit]") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "run";
  test::make_tiny_run(path, test::tiny_config("classify"));
  const auto step = checkpoint::step_directory(path, 5);
  for (const auto& file : {path / "config.json", path / "labels.json", step / "model.safetensors",
                           step / "state.json", step / "config.json", step / "MANIFEST.json"}) {
    CAPTURE(file.string());
    const auto bytes = read_file(file);
    auto damaged = bytes;
    damaged[damaged.size() / 2] ^= 0x15;
    for (const auto& content : {std::string(), bytes.substr(0, bytes.size() / 2), damaged}) {
      std::ofstream(file, std::ios::binary) << content;
      if (content == damaged && file == path / "config.json") continue;  // may still be a config
      if (content == damaged && file == path / "labels.json") continue;  // may still be labels
      REQUIRE_THROWS_AS(open_run(path, "last", "cpu"), CheckpointError);
    }
    std::ofstream(file, std::ios::binary) << bytes;
    REQUIRE_NOTHROW(open_run(path, "last", "cpu"));
  }
}

TEST_CASE("another vocabulary is refused, of another size and of the same",
          "[pipeline][run][unit]") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "run";
  const auto config = test::tiny_config("translate");
  const auto run = test::make_tiny_run(path, config);

  auto swapped = test::kTinyText;  // words change places in order of frequency
  for (int i = 0; i < 20; ++i) swapped.push_back("book under us");
  const auto same_size = test::tiny_tokenizers(config, swapped);
  REQUIRE(same_size.source->size() == run.tokenizers.source->size());
  text::save_tokenizers(same_size, path / "tokenizer");
  REQUIRE_THROWS_WITH(open_run(path, "last", "cpu"), ContainsSubstring("tokenizer"));
  REQUIRE_THROWS_AS(open_run(path, "last", "cpu"), CheckpointError);

  text::save_tokenizers(test::tiny_tokenizers(config, {"a b c"}), path / "tokenizer");
  REQUIRE_THROWS_AS(open_run(path, "last", "cpu"), CheckpointError);

  text::save_tokenizers(run.tokenizers, path / "tokenizer");
  REQUIRE_NOTHROW(open_run(path, "last", "cpu"));
}

TEST_CASE("a checkpoint that isn't there is answered with those that are",
          "[pipeline][run][unit]") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "run";
  test::make_tiny_run(path, test::tiny_config("translate"));
  REQUIRE_THROWS_AS(open_run(path, "step-7", "cpu"), CheckpointError);
  REQUIRE_THROWS_WITH(open_run(path, "step-7", "cpu"), ContainsSubstring("step-000005"));
  REQUIRE_THROWS_AS(open_run(path, "last", "gpu"), ConfigError);
}

TEST_CASE("vocabularies of equal size but other order have other names", "[pipeline][run][unit]") {
  const auto config = test::tiny_config("translate");
  const auto one = test::tiny_tokenizers(config, {"a a b"});
  const auto other = test::tiny_tokenizers(config, {"a b b"});
  REQUIRE(vocabulary(one) != vocabulary(other));
  REQUIRE(vocabulary(one, {"a", "b"}) != vocabulary(one, {"b", "a"}));
  REQUIRE(vocabulary(one, {"a", "b"}) != vocabulary(one));
  REQUIRE(vocabulary(one) == vocabulary(test::tiny_tokenizers(config, {"a a b"})));
  REQUIRE(vocabulary({one.source, other.source}) != vocabulary({other.source, one.source}));
}

}  // namespace
}  // namespace heed::pipeline
