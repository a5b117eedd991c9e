#include "pipeline/run.h"

#include <system_error>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/device.h"
#include "base/error.h"
#include "base/files.h"
#include "checkpoint/directory.h"
#include "model/build.h"
#include "pipeline/global_tokens.h"
#include "pipeline/labels.h"

namespace fs = std::filesystem;

namespace heed::pipeline {
namespace {

/// A run's own files are no command line: what is wrong in them is a fault of the files.
config::Run read_config(const fs::path& file) {
  try {
    return config::parse_run(read_file(file), file.string());
  } catch (const Error& error) {
    throw CheckpointError(error.what());
  }
}

/// The run's config, with what the weights of this checkpoint were made with.
config::Run config_of(const fs::path& dir, const fs::path& checkpoint) {
  auto config = read_config(dir / "config.json");
  const auto made_with = read_config(checkpoint / "config.json");
  if (made_with.task != config.task) {
    throw CheckpointError(fmt::format("{}: a checkpoint of task {}, the run's is {}",
                                      checkpoint.string(), made_with.task, config.task));
  }
  config.model = made_with.model;
  config.data.max_len = made_with.data.max_len;
  return config;
}

void check_vocabulary(const Run& run) {
  require_vocabulary(run.progress.vocabulary, run.tokenizers, run.labels, run.dir, run.checkpoint);
}

torch::nn::Module& build_model(Run& run) {
  model::Sizes sizes{.source_pieces = run.tokenizers.source->size(),
                     .max_len = run.config.data.max_len,
                     .global_ids = global_ids(run.config.model.attention, *run.tokenizers.source)};
  const auto seed = static_cast<uint64_t>(run.config.seed);
  if (run.config.task == "classify") {
    run.labels = load_labels(run.dir);
    sizes.classes = std::ssize(run.labels);
    run.classifier = model::build_classifier(run.config.model, sizes, seed);
    return *run.classifier;
  }
  if (!run.tokenizers.target) {
    throw CheckpointError(
        fmt::format("{}: has no tokenizer of the target", (run.dir / "tokenizer").string()));
  }
  sizes.target_pieces = run.tokenizers.target->size();
  run.encoder_decoder = model::build_encoder_decoder(run.config.model, sizes, seed);
  return *run.encoder_decoder;
}

/// A config that doesn't fit the run's tokenizer is a fault of the files, too.
torch::nn::Module& build_from_files(Run& run) {
  try {
    return build_model(run);
  } catch (const ConfigError& error) {
    throw CheckpointError(fmt::format("{}: {}", run.dir.string(), error.what()));
  }
}

}  // namespace

Run open_run(const fs::path& dir, const std::string& checkpoint, const std::string& device) {
  checkpoint::require_run(dir);
  Run run;
  run.device = pick_device(device);
  run.dir = dir;
  run.checkpoint = checkpoint::find(dir, checkpoint);
  const auto saved = checkpoint::load(run.checkpoint, /*with_optimizer=*/false);
  run.progress = saved.progress;
  run.config = config_of(dir, run.checkpoint);
  run.tokenizers = text::open_tokenizers(dir / "tokenizer", run.config.tokenizer);

  auto& model = build_from_files(run);
  checkpoint::load_into(model, saved.model, (run.checkpoint / "model.safetensors").string());
  check_vocabulary(run);
  model.to(run.device);
  model.eval();
  return run;
}

void require_task(const Run& run, const std::string& task, const std::string& command) {
  if (run.config.task == task) return;
  throw ConfigError(fmt::format("{}: {} is a run of task '{}'; use one of task '{}'", command,
                                run.dir.string(), run.config.task, task));
}

std::string vocabulary(const text::Tokenizers& tokenizers, const std::vector<std::string>& labels) {
  auto name = text::fingerprint(*tokenizers.source);
  if (tokenizers.target && tokenizers.target != tokenizers.source) {
    name += "+" + text::fingerprint(*tokenizers.target);
  }
  if (!labels.empty()) name += "+" + checksum(fmt::format("{}", fmt::join(labels, "\n")));
  return name;
}

void require_vocabulary(const std::string& trained_with, const text::Tokenizers& tokenizers,
                        const std::vector<std::string>& labels, const fs::path& run,
                        const fs::path& checkpoint) {
  if (trained_with.empty() || trained_with == vocabulary(tokenizers, labels)) return;
  throw CheckpointError(fmt::format(
      "{}: its {} pieces{} are not those {} was trained with; restore the tokenizer{} of that "
      "training",
      run.string(), tokenizers.source->size(),
      labels.empty() ? "" : fmt::format(" or {} labels", labels.size()), checkpoint.string(),
      labels.empty() ? "" : " and labels.json"));
}

}  // namespace heed::pipeline
