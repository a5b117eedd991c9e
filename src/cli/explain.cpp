#include <memory>
#include <optional>
#include <string>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/files.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/decoding_options.h"
#include "inspect/attention_trace.h"
#include "inspect/explain_example.h"
#include "inspect/explain_step.h"
#include "pipeline/run.h"
#include "pipeline/translator.h"

namespace heed::cli {
namespace {

struct ExplainArgs {
  const CLI::App* command = nullptr;
  RunOptions run;
  std::optional<std::string> example;
  std::optional<std::string> source;
  std::optional<std::string> target;
  inspect::StepPlace place;
  DecodingOptions decoding;
  bool json = false;
  int threads = 0;
};

/// The sentence with all its attention: with the target that is given, the one that search finds,
/// or a label.
inspect::TracedSentence traced(const ExplainArgs& args, const pipeline::Run& run) {
  int64_t replaced = 0;
  const auto source = valid_utf8(*args.source, &replaced);
  const pipeline::Origin origin{"--source", 1};
  if (args.target) {
    const auto target = valid_utf8(*args.target, &replaced);
    return inspect::trace_target(run, source, target, {origin, {"--target", 1}});
  }
  if (!run.encoder_decoder) return inspect::trace_label(run, source, origin);
  const auto found = pipeline::Translator(run, run.config.decode).translate({source}, origin);
  return inspect::trace_translation(run, source, found.at(0));
}

std::string explain_run(const ExplainArgs& args) {
  if (args.run.run.empty()) {
    throw ConfigError("RUN is missing; give it a run, or --example river-bank");
  }
  if (!args.source) throw ConfigError("--source is missing; give it a text");
  auto run = pipeline::open_run(args.run.run, args.run.checkpoint, args.run.device);
  if (args.target) pipeline::require_task(run, "translate", "--target");
  if (args.target) args.decoding.refuse_search("the target is given, so nothing is searched");
  if (run.classifier) args.decoding.refuse_search("a classifier searches for nothing");
  auto& decode = run.config.decode;
  decode.n_best = 1;
  decode = args.decoding.over(run.config);
  if (decode.overlong == "split") decode.overlong = "truncate";  // one text has one step
  const auto& pieces = run.tokenizers.target ? *run.tokenizers.target : *run.tokenizers.source;
  const auto step = inspect::explain_step(traced(args, run), run.config.model, pieces, args.place);
  return args.json ? inspect::explained_json(step).dump() + "\n" : inspect::explained(step);
}

/// What the example has no use for: all but --json and --threads.
void refuse_for_example(const ExplainArgs& args) {
  if (!args.run.run.empty()) throw ConfigError("--example: has its own numbers, and takes no run");
  for (const auto* option : args.command->get_options()) {
    const auto name = option->get_name();
    const bool taken = name == "--example" || name == "--json" || name == "--threads";
    if (option->count() == 0 || taken) continue;
    throw ConfigError(
        fmt::format("{}: the example has its own numbers, and shows them all; leave it out", name));
  }
}

std::string explain_example(const ExplainArgs& args) {
  refuse_for_example(args);
  const auto example = inspect::worked_example(*args.example);
  return args.json ? inspect::explained_json(example).dump() + "\n" : inspect::explained(example);
}

void explain(const ExplainArgs& args) {
  use_threads(args.threads);
  const auto text = args.example ? explain_example(args) : explain_run(args);
  OutputFile output("-");
  output.write(text);
  output.commit();
}

}  // namespace

void add_explain(CLI::App& app) {
  auto args = std::make_shared<ExplainArgs>();
  auto* command = app.add_subcommand(
      "explain", "Show each number of one attention step, in order, of a run or an example");
  args->command = command;
  command->add_option("run", args->run.run, "Directory written by 'heed train'");
  command->add_option("--example", args->example, "Instead of a run: river-bank, four words");
  command->add_option("--source", args->source, "The text to read");
  command->add_option("--target", args->target, "A target to go with it [the one search finds]");
  command->add_option("--kind", args->place.kind, "encoder, decoder or cross")
      ->check(CLI::IsMember({"encoder", "decoder", "cross"}))
      ->capture_default_str();
  command->add_option("--layer", args->place.layer, "Counted from 0")->capture_default_str();
  command->add_option("--head", args->place.head, "Counted from 0")->capture_default_str();
  command
      ->add_option(
          "--token", args->place.token,
          "Whose row, counted from 0: in the source, and of decoder and cross attention in "
          "the target")
      ->capture_default_str();
  command->add_option("--checkpoint", args->run.checkpoint, "best, last, step-N or a path")
      ->capture_default_str();
  command->add_option("--device", args->run.device, "cpu, cuda, cuda:N or auto")
      ->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object");
  add_search_options(*command, args->decoding);
  add_threads_option(*command, args->threads);
  command->callback([args] { explain(*args); });
}

}  // namespace heed::cli
