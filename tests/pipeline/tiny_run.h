#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "checkpoint/directory.h"
#include "config/run.h"
#include "model/build.h"
#include "pipeline/labels.h"
#include "pipeline/run.h"
#include "pipeline/temporary_directory.h"
#include "text/tokenizer.h"

namespace heed::test {

inline const std::vector<std::string> kTinyText = {
    "the old dog sees a small bird", "a bird sings in the tree .",
    "we see the tree , and it sees us", "she reads an old book under the tree",
    "small dogs and big dogs run"};

/// A random sentence of words the tiny models know.
inline std::string tiny_sentence(int64_t words) {
  static const std::vector<std::string> kWords = {"the",  "old", "dog", "bird", "tree",
                                                  "sees", "we",  "and", "book", "runs"};
  std::string line;
  for (int64_t i = 0; i < words; ++i) {
    if (i > 0) line += ' ';
    line += kWords[torch::randint(0, std::ssize(kWords), {1}).item<int64_t>()];
  }
  return line;
}

inline config::Tokenizer tokenizer_config(const std::string& type, int64_t vocab_size) {
  config::Tokenizer config;
  config.type = type;
  config.vocab_size = vocab_size;
  return config;
}

inline config::Run tiny_config(const std::string& task) {
  config::Run config;
  config.task = task;
  config.train.max_steps = 5;
  if (task == "translate") {
    config.data.train = {.source = "train.en", .target = "train.de", .file = ""};
  } else {
    config.data.train = {.source = "", .target = "", .file = "train.tsv"};
  }
  config.data.max_len = 16;
  config.tokenizer = tokenizer_config("word", 60);
  config.model = {.d_model = 16, .heads = 2, .d_ff = 32, .enc_layers = 1, .dec_layers = 2};
  config.model.dropout = 0.2;
  config.model.attention.dropout = 0.2;
  config.decode.beam_size = 3;
  return config;
}

inline text::Tokenizers tiny_tokenizers(const config::Run& config,
                                        const std::vector<std::string>& lines = kTinyText) {
  const auto tokenizer = text::make_tokenizer(config.tokenizer, lines);
  return {tokenizer, config.task == "translate" ? tokenizer : nullptr};
}

/// Random weights, larger than fresh ones, so that answers differ between sources.
inline void stir(torch::nn::Module& model) {
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model.parameters()) parameter.mul_(1.7);
}

inline model::Sizes tiny_sizes(const config::Run& config, const text::Tokenizers& tokenizers) {
  const bool translates = config.task == "translate";
  return {.source_pieces = tokenizers.source->size(),
          .target_pieces = translates ? tokenizers.target->size() : 0,
          .classes = translates ? 0 : 3,
          .max_len = config.data.max_len};
}

/// A whole run, as training leaves it, with random weights; returned opened. Step 5 is its only
/// checkpoint.
inline pipeline::Run make_tiny_run(const std::filesystem::path& dir, const config::Run& config) {
  const auto tokenizers = tiny_tokenizers(config);
  const auto sizes = tiny_sizes(config, tokenizers);
  std::shared_ptr<torch::nn::Module> model;
  if (config.task == "translate") {
    model = model::build_encoder_decoder(config.model, sizes, 3);
  } else {
    model = model::build_classifier(config.model, sizes, 3);
    std::filesystem::create_directories(dir);
    pipeline::save_labels(dir, {"neg", "neutral", "pos"});
  }
  stir(*model);

  std::filesystem::create_directories(dir / "tokenizer");
  text::save_tokenizers(tokenizers, dir / "tokenizer");
  replace_file(dir / "config.json", config::to_json(config));
  checkpoint::Checkpoint saved;
  saved.model = checkpoint::named_tensors(*model);
  const auto labels =
      config.task == "classify" ? pipeline::load_labels(dir) : std::vector<std::string>();
  saved.progress = {.step = 5, .vocabulary = pipeline::vocabulary(tokenizers, labels)};
  checkpoint::save(checkpoint::step_directory(dir, 5), saved, config);
  checkpoint::point(dir, "last", 5, std::nullopt);
  checkpoint::point(dir, "best", 5, 1.0);
  return pipeline::open_run(dir, "last", "cpu");
}

}  // namespace heed::test
