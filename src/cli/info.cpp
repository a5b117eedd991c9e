#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "base/files.h"
#include "checkpoint/directory.h"
#include "cli/commands.h"
#include "cli/decoding_options.h"
#include "cli/model_text.h"
#include "cli/parameter_counts.h"
#include "config/json.h"
#include "pipeline/run.h"

namespace fs = std::filesystem;

namespace heed::cli {
namespace {

void line(OutputFile& output, const std::string& what, const std::string& text) {
  output.write_line(fmt::format("{:<12}{}", what, text));
}

void write_model(const pipeline::Run& run, OutputFile& output) {
  const bool translates = run.config.task == "translate";
  line(output, "model",
       fmt::format("{} · {}", model_text(run.config), model_details(run.config.model)));

  const torch::nn::Module& module =
      translates ? static_cast<const torch::nn::Module&>(*run.encoder_decoder) : *run.classifier;
  std::string parts;
  for (const auto& [part, count] : parameters_by_part(module)) {
    parts += fmt::format(" · {} {}", part, count);
  }
  line(output, "parameters", fmt::format("{}{}", parameter_count(module), parts));
}

void write_tokenizers(const pipeline::Run& run, OutputFile& output) {
  const auto& [source, target] = run.tokenizers;
  const auto type = run.config.tokenizer.type;
  const auto described = [&](const std::string& sides, const text::Tokenizer& tokenizer) {
    line(output, "tokenizer",
         fmt::format("{} · {} · {} pieces · {}", sides, type, tokenizer.size(),
                     text::fingerprint(tokenizer)));
  };
  const bool shared = target && target == source;
  described(shared ? "shared" : "source", *source);
  if (target && !shared) described("target", *target);
  if (!run.labels.empty()) line(output, "labels", fmt::format("{}", fmt::join(run.labels, ", ")));
}

/// The files as they are now.
void write_file_lines(const std::string& split, const config::DataNames& files,
                      OutputFile& output) {
  for (const auto& file : files) {
    std::error_code ignored;
    const bool there = fs::is_regular_file(file, ignored);
    line(output, "data",
         fmt::format("{} · {} · {}", split, file,
                     there
                         ? fmt::format("{} bytes · {}", fs::file_size(file), checksum_of_file(file))
                         : "not there any more"));
  }
}

void write_data(const config::Data& data, OutputFile& output) {
  const auto write_split = [&](const std::string& name, const config::Split& split) {
    write_file_lines(name + " source", split.source, output);
    write_file_lines(name + " target", split.target, output);
    write_file_lines(name, split.file, output);
  };
  write_split("train", data.train);
  write_split("valid", data.valid);
  write_split("test", data.test);
}

/// What trained it; nothing where an older heed did.
void write_card(const fs::path& run, OutputFile& output) {
  if (!fs::exists(run / "card.json")) return;
  const auto card = config::Json::parse(read_file(run / "card.json"), nullptr, false);
  if (!card.is_object()) return;
  std::string text;
  for (const auto& [key, value] : card.items()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " · ", key,
                        value.is_string() ? value.get<std::string>() : value.dump());
  }
  line(output, "trained by", text);
}

int64_t bytes_of(const fs::path& dir) {
  int64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(dir)) {
    if (entry.is_regular_file()) bytes += static_cast<int64_t>(entry.file_size());
  }
  return bytes;
}

/// Whether `which` names this checkpoint; a damaged pointer names none.
bool points_to(const fs::path& run, const std::string& which, const fs::path& dir) {
  try {
    return checkpoint::find(run, which) == dir;
  } catch (const CheckpointError&) {
    return false;
  }
}

void write_checkpoints(const fs::path& run, OutputFile& output) {
  for (const auto step : checkpoint::saved_steps(run)) {
    const auto dir = checkpoint::step_directory(run, step);
    line(output, "checkpoint",
         fmt::format("{} · {} bytes{}{}", dir.filename().string(), bytes_of(dir),
                     points_to(run, "best", dir) ? " · best" : "",
                     points_to(run, "last", dir) ? " · last" : ""));
  }
}

void info(const RunOptions& options) {
  const auto run = pipeline::open_run(options.run, options.checkpoint, options.device);
  const auto& train = run.config.train;
  OutputFile output("-");
  line(output, "run",
       fmt::format("{} · task {} · seed {} · {} at step {}", run.dir.string(), run.config.task,
                   run.config.seed, run.checkpoint.filename().string(), run.progress.step));
  write_model(run, output);
  write_tokenizers(run, output);
  line(output, "training",
       fmt::format("{} · lr {} {} · {} tokens a step · label_smoothing {} · {}", train.optimizer,
                   train.lr, train.schedule, train.batch_tokens, train.label_smoothing,
                   train.precision));
  write_card(run.dir, output);
  write_data(run.config.data, output);
  write_checkpoints(run.dir, output);
  output.commit();
}

}  // namespace

void add_info(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  auto* command =
      app.add_subcommand("info", "Show a run: model, sizes, vocabulary, data, checkpoints");
  add_run_options(*command, *options);
  command->callback([options] { info(*options); });
}

}  // namespace heed::cli
