#include <algorithm>
#include <memory>
#include <string>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/decoding_options.h"
#include "cli/evaluation.h"
#include "pipeline/run.h"

namespace heed::cli {
namespace {

using config::Json;

struct EvalArgs {
  RunOptions run;
  DecodingOptions decoding;
  std::string split = "valid";
  config::Split files;  // instead of a split
  bool json = false;
};

/// The files to evaluate on: those named, else the run's.
config::Split chosen_split(const EvalArgs& args, const pipeline::Run& run) {
  const bool classify = run.config.task == "classify";
  const bool named = !args.files.source.empty() || !args.files.file.empty();
  if (named && classify == args.files.file.empty()) {
    throw ConfigError(classify ? "--source: a run of task 'classify' is evaluated with --data"
                               : "--data: a run of task 'translate' is evaluated with --source "
                                 "and --target");
  }
  if (named) return args.files;

  const auto& split = args.split == "test" ? run.config.data.test : run.config.data.valid;
  if (classify ? split.file.empty() : split.source.empty()) {
    throw ConfigError(fmt::format("--split: the config of {} has no data.{}; name files with {}",
                                  run.dir.string(), args.split,
                                  classify ? "--data" : "--source and --target"));
  }
  return split;
}

Json evaluate(const EvalArgs& args, const pipeline::Run& run, const EvaluationSet& set) {
  const auto decode = args.decoding.over(run.config.decode);
  const LossOptions options{.device = run.device};
  const auto smoothing = run.config.train.label_smoothing;
  if (run.classifier) {
    train::ClassificationObjective objective(run.classifier, smoothing);
    const pipeline::Labeler labeler(run, decode);
    return *evaluate_classification(set, objective, options, labeler, run.labels);
  }
  train::TranslationObjective objective(run.encoder_decoder, smoothing);
  const pipeline::Translator translator(run, decode);
  return *evaluate_translation(set, objective, options, translator);
}

std::string number(const Json& json) {
  return json.is_number_integer() ? fmt::format("{}", json.get<int64_t>())
         : json.is_number()       ? fmt::format("{:.4f}", json.get<double>())
                                  : json.dump();
}

std::string percent(const Json& json) { return fmt::format("{:.2f} %", 100 * json.get<double>()); }

/// One line a class, and beside each label how often which was predicted.
std::string class_table(const Json& scores) {
  std::size_t width = 5;
  for (const auto& label : scores["labels"]) {
    width = std::max(width, label.get_ref<const std::string&>().size());
  }
  auto text =
      fmt::format("\n{:<{}}  precision  recall      f1  support  predicted as\n", "label", width);
  std::size_t row = 0;
  for (const auto& label : scores["labels"]) {
    const auto& name = label.get_ref<const std::string&>();
    const auto& score = scores["per_class"][name];
    text += fmt::format("{:<{}}  {:9.4f}  {:6.4f}  {:6.4f}  {:7} ", name, width,
                        score["precision"].get<double>(), score["recall"].get<double>(),
                        score["f1"].get<double>(), score["support"].get<int64_t>());
    for (const auto& count : scores["confusion"][row++]) {
      text += fmt::format(" {:6}", count.get<int64_t>());
    }
    text += "\n";
  }
  return text;
}

std::string as_text(const Json& scores) {
  std::string text;
  for (const auto& [key, value] : scores.items()) {
    const bool share = key == "token_accuracy" || key == "exact_match" || key == "accuracy";
    const bool metric = key == "bleu" || key == "chrf";
    if (!value.is_number() && !value.is_null()) continue;
    const auto shown = share    ? percent(value)
                       : metric ? fmt::format("{:.2f}  {}", value.get<double>(),
                                              scores[key + "_signature"].get<std::string>())
                                : number(value);
    text += fmt::format("{:<15} {}\n", key, shown);
  }
  if (scores.contains("per_class")) text += class_table(scores);
  return text;
}

void warn_of_data(const EvaluationSet& set) {
  const auto replaced = set.pairs.replaced + set.table.replaced;
  if (replaced > 0) {
    log::warning(fmt::format("{} ill-formed UTF-8 sequences read as U+FFFD", replaced));
  }
  for (const auto& reason : set.left_out) log::warning("loss: " + reason);
}

void eval(const EvalArgs& args) {
  auto run = pipeline::open_run(args.run.run, args.run.checkpoint, args.run.device);
  run.config.decode.n_best = 1;  // scores are of the best
  const auto split = chosen_split(args, run);
  const auto set = read_evaluation_set(run.config, split, run.tokenizers, run.labels);
  warn_of_data(set);

  const auto scores = evaluate(args, run, set);
  OutputFile output("-");
  output.write(args.json ? scores.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"
                         : as_text(scores));
  output.commit();
}

}  // namespace

void add_eval(CLI::App& app) {
  auto args = std::make_shared<EvalArgs>();
  auto* command = app.add_subcommand(
      "eval", "Score a run: loss, BLEU and chrF, or accuracy, F1 and confusion matrix");

  add_run_options(*command, args->run);
  command->add_option("--split", args->split, "Which of the run's data: valid or test")
      ->check(CLI::IsMember({"valid", "test"}))
      ->capture_default_str();
  auto* source = command->add_option("--source", args->files.source,
                                     "Texts to translate, a line each, instead of a split");
  auto* target = command->add_option("--target", args->files.target, "Their translations");
  source->needs(target);
  target->needs(source);
  command
      ->add_option("--data", args->files.file,
                   "Texts with labels, instead of a split, in the format of the training data")
      ->excludes(source)
      ->excludes(target);
  add_search_options(*command, args->decoding);
  add_batch_options(*command, args->decoding);
  command->add_flag("--json", args->json, "Print one JSON object");
  command->callback([args] { eval(*args); });
}

}  // namespace heed::cli
