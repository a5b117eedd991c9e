#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "base/device.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "checkpoint/average.h"
#include "checkpoint/directory.h"
#include "cli/commands.h"
#include "cli/decoding_options.h"
#include "cli/initial_weights.h"
#include "cli/load_config.h"
#include "cli/loaded_batches.h"
#include "cli/model_text.h"
#include "cli/not_empty.h"
#include "cli/parameter_counts.h"
#include "cli/progress_bar.h"
#include "cli/run_card.h"
#include "cli/run_directory.h"
#include "cli/training_data.h"
#include "cli/training_hooks.h"
#include "cli/training_log.h"
#include "cli/training_task.h"
#include "model/rnn_choices.h"
#include "pipeline/labels.h"
#include "pipeline/run.h"
#include "train/precision.h"
#include "train/saver.h"
#include "train/trainer.h"

namespace fs = std::filesystem;

namespace heed::cli {
namespace {

struct TrainArgs {
  std::string config;
  std::string run;  // empty: runs/ and the config's name
  std::vector<std::string> edits;
  bool resume = false;
  std::string from;                // empty: the last checkpoint
  std::vector<std::string> reset;  // what a resume does not take over
  bool overwrite = false;
  std::string device = "auto";
  int threads = 0;  // 0: as many as there are cores
};

train::Reset reset_of(const TrainArgs& args) {
  const auto named = [&](const char* what) { return std::ranges::count(args.reset, what) > 0; };
  return {.optimizer = named("optimizer"), .schedule = named("schedule"), .data = named("data")};
}

fs::path run_directory(const TrainArgs& args) {
  if (!args.run.empty()) return args.run;
  return fs::path("runs") / fs::path(args.config).stem();
}

Existing wish_of(const TrainArgs& args) {
  if (args.resume) return Existing::kResume;
  return args.overwrite ? Existing::kOverwrite : Existing::kRefuse;
}

/// The checkpoint to go on from; none where a run was stopped before its first one.
std::optional<fs::path> checkpoint_to_resume(const TrainArgs& args, const fs::path& run) {
  if (!args.resume) return std::nullopt;
  if (args.from.empty() && checkpoint::saved_steps(run).empty()) return std::nullopt;
  return checkpoint::find(run, args.from.empty() ? "last" : args.from);
}

/// What a run is made of but its checkpoints. config.json comes first: it makes the directory a
/// run.
void write_run(const fs::path& run, const config::Run& config, const TrainingData& data) {
  clear_run_directory(run);
  replace_file(run / "config.json", config::to_json(config));
  text::save_tokenizers(data.tokenizers, run / "tokenizer");
  if (!data.labels.empty()) pipeline::save_labels(run, data.labels);
}

std::string vocabulary_text(const TrainingData& data) {
  const auto& [source, target] = data.tokenizers;
  if (!target) return fmt::format("vocabulary {} · {} labels", source->size(), data.labels.size());
  if (source == target) return fmt::format("vocabulary {}, shared", source->size());
  return fmt::format("vocabularies {} and {}", source->size(), target->size());
}

void log_opening(const fs::path& run, const config::Run& config, const TrainingData& data,
                 torch::nn::Module& module, torch::Device device) {
  const bool classify = config.task == "classify";
  log::info(
      fmt::format("run      {} · seed {} · {} · {}", run.string(), config.seed, device.str(),
                  train::precision_name(train::pick_precision(config.train.precision, device))));
  const auto valid = data.valid ? data.valid->size() : 0;
  log::info(fmt::format("data     {} train · {} valid {} · {}", data.train_size(), valid,
                        classify ? "texts" : "pairs", vocabulary_text(data)));
  log::info(fmt::format("model    {} · {} parameters", model_text(config),
                        short_count(static_cast<double>(parameter_count(module)))));
  if (config.model.recurrent()) {
    log::info("path     " + model::training_path(config.model, device));
  }
  if (data.valid && !classify) {
    log::info("valid    BLEU and exact match of greedy search; heed eval uses decode.beam_size");
  }
}

/// As a shell reads it.
std::string quoted(const std::string& word) {
  constexpr auto kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

/// Edits, device and threads count on a resume, too.
std::string resume_command(const TrainArgs& args, const fs::path& run) {
  auto command = fmt::format("heed train {} --run {}", quoted(args.config), quoted(run.string()));
  for (const auto& edit : args.edits) command += " --set " + quoted(edit);
  if (args.device != "auto") command += " --device " + quoted(args.device);
  if (args.threads != 0) command += fmt::format(" --threads {}", args.threads);
  return command + " --resume";
}

/// Weights and optimizer of a checkpoint, once its vocabulary is known to be this run's.
void resume(const fs::path& run, const fs::path& dir, const TrainingData& data, TrainingTask& task,
            const train::Reset& reset, train::Trainer& trainer) {
  const auto saved = checkpoint::load(dir, /*with_optimizer=*/true);
  pipeline::require_vocabulary(saved.progress.vocabulary, data.tokenizers, data.labels, run, dir);
  checkpoint::load_into(task.objective->module(), saved.model,
                        (dir / "model.safetensors").string());
  trainer.resume(saved, (dir / "optimizer.safetensors").string(), reset);
  checkpoint::roll_back(run, saved.progress.step, saved.progress.best_step,
                        saved.progress.best_score);
}

void log_end(const checkpoint::Progress& progress) {
  const auto best = progress.best_step > 0 ? fmt::format(" · best step-{:06}", progress.best_step)
                                           : std::string();
  log::info(fmt::format("done     step {}{} · {:.0f} s", progress.step, best, progress.seconds));
}

/// Where a training goes on, and what of its config is another since; neither where it begins.
struct Origin {
  std::optional<fs::path> from;  // a checkpoint
  std::vector<std::string> changes;
};

Origin origin_of(const TrainArgs& args, const fs::path& run, const config::Run& config) {
  Origin origin{.from = checkpoint_to_resume(args, run), .changes = {}};
  if (!origin.from) return origin;
  const auto file = run / "config.json";
  const auto before = config::parse_run(read_file(file), file.string());
  check_resumable(before, config);
  origin.changes = config_changes(before, config);
  return origin;
}

/// As resume(), and says so.
void go_on(const TrainArgs& args, const fs::path& run, const fs::path& from,
           const TrainingData& data, TrainingTask& task, train::Trainer& trainer,
           TrainingLog& log) {
  resume(run, from, data, task, reset_of(args), trainer);
  log::info(fmt::format("resume   step {} from {}", trainer.progress().step, from.string()));
  for (const auto& what : args.reset) log.note("reset    " + what);
  const auto& before = trainer.progress().data;
  if (!before.empty() && before != data.fingerprint) {
    log.note("changed  the training files are not those that the run was trained on so far");
  }
}

void run_to_end(const TrainArgs& args, const fs::path& run, const config::Train& config,
                train::Trainer& trainer) {
  try {
    trainer.run();
  } catch (const Stopped& stopped) {
    log::info(fmt::format("stopped  by signal {} after step {}, saved; to go on:", stopped.signal,
                          trainer.progress().step));
    log::info("         " + resume_command(args, run));
    throw;
  }
  if (config.average_last > 0) {
    const auto count =
        std::min<int64_t>(config.average_last, std::ssize(checkpoint::saved_steps(run)));
    log::info("average  " + checkpoint::average_last(run, count).string());
  }
  log_end(trainer.progress());
}

void train(const TrainArgs& args) {
  keep_freed_memory();
  use_threads(args.threads);
  const auto config = load_config(args.config, args.edits);
  at::globalContext().setFloat32MatmulPrecision(config.train.matmul_precision);
  const auto device = pick_device(args.device);
  const auto run = run_directory(args);
  ClaimedRun claimed(run);  // before anything is decided by what lies there
  check_run_directory(run, wish_of(args));
  checkpoint::remove_partials(run);
  const auto [from, changes] = origin_of(args, run, config);

  log::status("reading the data");
  const auto data = read_training_data(config, from ? std::optional(run) : std::nullopt);
  auto task = build_task(config, data.sizes(config), device);
  auto& module = task.objective->module();
  LoadedBatches batches(*data.train, config);
  const auto probe = probe_of(data, batches);
  const auto prepared = prepare_weights(config.train, from.has_value(), data.tokenizers, module);

  log::status("");
  claimed.keep();
  if (!from) write_run(run, config, data);
  const log::AlsoToFile log_file(run / "train.log");
  for (const auto& line : prepared) log::info(line);
  log_opening(run, config, data, module, device);

  const SignalWatch watch;
  train::Saver saver(run, config);
  TrainingLog log(run, config, from ? checkpoint::load_progress(*from).step : 0);
  train::Trainer trainer(*task.objective, batches, config, device,
                         make_hooks(run, config, data, task, probe, device, saver, log));
  trainer.set_vocabulary(pipeline::vocabulary(data.tokenizers, data.labels));
  if (from) go_on(args, run, *from, data, task, trainer, log);
  trainer.set_data(data.fingerprint);
  write_run_card(run, config, data.fingerprint, device);
  if (!changes.empty()) replace_file(run / "config.json", config::to_json(config));
  for (const auto& change : changes) log.note("changed  " + change);
  if (!from) {
    for (const auto& remark : data.remarks) log.note("skipped  " + remark);
  }
  run_to_end(args, run, config.train, trainer);
}

}  // namespace

void add_train(CLI::App& app) {
  auto args = std::make_shared<TrainArgs>();
  auto* command = app.add_subcommand("train", "Train a model as a config says, into a run");
  command->add_option("config", args->config, "JSON file that says what to train, and how")
      ->check(not_empty())
      ->required();
  command->add_option("--run", args->run, "Directory to write [runs/ and the config's name]")
      ->check(not_empty());
  command
      ->add_option("--set", args->edits,
                   "Change the config, as in --set train.lr=3e-4; may come more than once")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* resume = command->add_flag("--resume", args->resume,
                                   "Go on from the run's last checkpoint, as if never stopped");
  command
      ->add_option("--from", args->from,
                   "With --resume: go back to this checkpoint (step-N) and forget later ones")
      ->needs(resume);
  command
      ->add_option("--reset", args->reset,
                   "With --resume: what is not taken over, as in --reset optimizer,schedule,data")
      ->delimiter(',')
      ->check(CLI::IsMember({"optimizer", "schedule", "data"}))
      ->needs(resume);
  command->add_flag("--overwrite", args->overwrite, "Begin anew where a run is already")
      ->excludes(resume);
  command
      ->add_option("--device", args->device, "cpu, cuda, cuda:N, or auto: CUDA where there is one")
      ->capture_default_str();
  add_threads_option(*command, args->threads);
  command->callback([args] { train(*args); });
}

}  // namespace heed::cli
