#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include <spdlog/fmt/fmt.h>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/decoding_options.h"
#include "cli/line_progress.h"
#include "cli/line_warnings.h"
#include "config/fields.h"
#include "pipeline/labeler.h"
#include "pipeline/run.h"
#include "text/lines.h"

namespace heed::cli {
namespace {

struct ClassifyArgs {
  RunOptions run;
  DecodingOptions decoding;
  std::string input = "-";
  std::string output = "-";
  std::optional<int64_t> top_k;
  bool json = false;
  int threads = 0;
};

/// The labels to show, the most probable first.
std::vector<int64_t> shown(const pipeline::Labeling& labeling, const ClassifyArgs& args) {
  auto labels = labeling.ranked();
  const auto wanted = args.top_k.value_or(args.json ? std::ssize(labels) : 1);
  labels.resize(std::min<int64_t>(wanted, std::ssize(labels)));
  return labels;
}

/// A label, or the first labels with their probabilities, all separated by tabs.
std::string plain_line(const pipeline::Labeling& labeling, const pipeline::Run& run,
                       const ClassifyArgs& args) {
  std::string line;
  for (const auto label : shown(labeling, args)) {
    if (!line.empty()) line += '\t';
    line += run.labels[label];
    if (args.top_k) line += fmt::format("\t{:.6f}", labeling.probabilities[label]);
  }
  return line;
}

/// One object a line; an empty line has no label.
std::string json_line(const pipeline::Labeling& labeling, const pipeline::Run& run,
                      const ClassifyArgs& args) {
  using config::Json;
  Json json{{"label", nullptr}, {"labels", Json::array()}, {"probabilities", Json::array()}};
  for (const auto label : shown(labeling, args)) {
    const double probability = labeling.probabilities[label];
    json["labels"].push_back(run.labels[label]);
    json["probabilities"].push_back(std::isfinite(probability) ? Json(probability) : Json());
  }
  if (!json["labels"].empty()) json["label"] = json["labels"].front();
  json["truncated"] = labeling.source.truncated();
  json["tokens"] = labeling.source.tokens;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void classify(const ClassifyArgs& args) {
  const auto run = pipeline::open_run(args.run.run, args.run.checkpoint, args.run.device);
  pipeline::require_task(run, "classify", "classify");
  use_threads(args.threads);
  std::optional<LineProgress> progress;
  if (!at_a_prompt(args.input, args.output)) {
    progress.emplace("classified", lines_to_come(args.input));
  }
  const pipeline::Labeler labeler(run, args.decoding.over(run.config), /*workers=*/0,
                                  [&](int64_t lines) {
                                    if (progress) progress->add(lines);
                                  });

  text::LineReader input(args.input);
  OutputFile output(args.output);
  LineWarnings warnings;
  const auto at_once = lines_at_once(args.input);
  for (auto lines = input.take(at_once); !lines.empty(); lines = input.take(at_once)) {
    const auto first = input.line() - std::ssize(lines) + 1;
    for (const auto& labeling : labeler.label(lines, {input_name(args.input), first})) {
      warnings.count(labeling.source);
      output.write_line(args.json ? json_line(labeling, run, args)
                                  : plain_line(labeling, run, args));
    }
    output.flush();
  }
  progress.reset();
  output.commit();
  warnings.report(args.input, run.config.data.max_len, input.replaced());
}

}  // namespace

void add_classify(CLI::App& app) {
  auto args = std::make_shared<ClassifyArgs>();
  auto* command = app.add_subcommand("classify", "Label text, line by line");

  add_run_options(*command, args->run);
  command->add_option("--input", args->input, "Text to label; - is standard input")
      ->capture_default_str();
  command->add_option("--output", args->output, "Where results go; - is standard output")
      ->capture_default_str();
  command
      ->add_option("--top-k", args->top_k,
                   "Write so many labels a line, each with its probability, separated by tabs")
      ->check(CLI::Range(1, 1 << 20));
  command->add_flag("--json", args->json,
                    "Write a JSON object a line, with all labels and their probabilities");
  add_batch_options(*command, args->decoding);
  add_threads_option(*command, args->threads);
  command->callback([args] { classify(*args); });
}

}  // namespace heed::cli
