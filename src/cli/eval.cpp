#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/decoding_options.h"
#include "cli/evaluation.h"
#include "cli/evaluation_text.h"
#include "cli/ill_formed.h"
#include "cli/line_progress.h"
#include "cli/unknown_words.h"
#include "pipeline/run.h"

namespace heed::cli {
namespace {

using config::Json;

struct EvalArgs {
  RunOptions run;
  DecodingOptions decoding;
  std::string split = "valid";
  std::vector<std::string> source;  // files instead of a split
  std::vector<std::string> target;
  std::vector<std::string> data;
  MoreScores more{.ter = true};
  std::optional<int64_t> ece_bins;
  bool json = false;
  int threads = 0;
};

/// What the run's task has no use for is not passed over in silence.
void check_task_options(const EvalArgs& args, const pipeline::Run& run) {
  if (run.classifier) {
    args.decoding.refuse_search("a classifier searches for nothing");
    if (args.more.top_k > std::ssize(run.labels)) {
      throw ConfigError(fmt::format("--top-k: {} is more than the labels of {}, which are {}",
                                    args.more.top_k, run.dir.string(), run.labels.size()));
    }
    return;
  }
  const auto refuse = [](bool given, const char* option) {
    if (given) throw ConfigError(fmt::format("{}: is of classifiers; leave it out", option));
  };
  refuse(args.more.top_k > 0, "--top-k");
  refuse(args.ece_bins.has_value(), "--ece-bins");
}

/// The files to evaluate on: those named, else the run's.
config::Split chosen_split(const EvalArgs& args, const pipeline::Run& run) {
  const bool classify = run.config.task == "classify";
  const bool named = !args.source.empty() || !args.data.empty();
  if (named && classify == args.data.empty()) {
    throw ConfigError(classify ? "--source: a run of task 'classify' is evaluated with --data"
                               : "--data: a run of task 'translate' is evaluated with --source "
                                 "and --target");
  }
  if (args.source.size() != args.target.size()) {
    throw ConfigError(fmt::format("--target: {}, but --source has {}; one for each is right",
                                  counted(std::ssize(args.target), "file"), args.source.size()));
  }
  if (named) return {.source = args.source, .target = args.target, .file = args.data};

  const auto& split = args.split == "test" ? run.config.data.test : run.config.data.valid;
  if (classify ? split.file.empty() : split.source.empty()) {
    throw ConfigError(fmt::format("--split: the config of {} has no data.{}; name files with {}",
                                  run.dir.string(), args.split,
                                  classify ? "--data" : "--source and --target"));
  }
  return split;
}

Json evaluate(const EvalArgs& args, const pipeline::Run& run, const EvaluationSet& set) {
  const auto decode = args.decoding.over(run.config);
  const LossOptions options{.device = run.device};
  auto more = args.more;
  more.ece_bins = args.ece_bins.value_or(more.ece_bins);
  if (more.breakdown) more.unknown_words = unknown_words(run.config, set.sources());
  if (run.classifier) {
    train::ClassificationObjective objective(run.classifier, run.config.train);
    LineProgress progress("classified", set.size());
    const pipeline::Labeler labeler(run, decode, /*workers=*/0,
                                    [&](int64_t lines) { progress.add(lines); });
    return *evaluate_classification(set, objective, options, labeler, run.labels, more);
  }
  train::TranslationObjective objective(run.encoder_decoder, run.config.train);
  LineProgress progress("translated", set.size());
  const pipeline::Translator translator(run, decode, /*workers=*/0,
                                        [&](int64_t lines) { progress.add(lines); });
  return *evaluate_translation(set, objective, options, translator, more);
}

void warn_of_data(const EvaluationSet& set) {
  warn_if_any(ill_formed_text("", set.replaced()));
  for (const auto& reason : set.left_out) log::warning("loss: " + reason);
}

void eval(const EvalArgs& args) {
  use_threads(args.threads);
  auto run = pipeline::open_run(args.run.run, args.run.checkpoint, args.run.device);
  check_task_options(args, run);
  run.config.decode.n_best = 1;  // scores are of the best
  const auto split = chosen_split(args, run);
  const auto set = read_evaluation_set(run.config, split, run.tokenizers, run.labels);
  warn_of_data(set);

  const auto scores = evaluate(args, run, set);
  OutputFile output("-");
  output.write(args.json ? scores.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"
                         : evaluation_text(scores));
  output.commit();
}

void add_data_options(CLI::App& command, EvalArgs& args) {
  auto* split = command.add_option("--split", args.split, "Which of the run's data: valid or test")
                    ->check(CLI::IsMember({"valid", "test"}))
                    ->capture_default_str();
  auto* source =
      command
          .add_option("--source", args.source,
                      "Texts to translate, a line each, instead of a split; may be given again")
          ->allow_extra_args(false)
          ->excludes(split);
  auto* target =
      command.add_option("--target", args.target, "Their translations")->allow_extra_args(false);
  source->needs(target);
  target->needs(source);
  command
      .add_option("--data", args.data,
                  "Texts with labels, instead of a split, in the format of the training data")
      ->allow_extra_args(false)
      ->excludes(split)
      ->excludes(source)
      ->excludes(target);
}

}  // namespace

void add_eval(CLI::App& app) {
  auto args = std::make_shared<EvalArgs>();
  auto* command = app.add_subcommand(
      "eval", "Score a run: loss, BLEU, chrF and TER, or accuracy, F1 and confusion matrix");

  add_run_options(*command, args->run);
  add_data_options(*command, *args);
  add_search_options(*command, args->decoding);
  add_batch_options(*command, args->decoding);
  command->add_flag("--breakdown", args->more.breakdown,
                    "Also score by length of the source and by its words that training never saw");
  command
      ->add_option("--top-k", args->more.top_k,
                   "Also say how often the right label is among the N most probable (classify)")
      ->check(CLI::Range(1, 1 << 20));
  command
      ->add_option("--ece-bins", args->ece_bins,
                   "Bins of the expected calibration error (classify) [15]")
      ->check(CLI::Range(1, 1000));
  add_threads_option(*command, args->threads);
  command->add_flag("--json", args->json, "Print one JSON object");
  command->callback([args] { eval(*args); });
}

}  // namespace heed::cli
