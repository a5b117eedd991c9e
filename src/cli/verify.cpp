#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/device.h"
#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/decoding_options.h"
#include "cli/load_config.h"
#include "cli/model_text.h"
#include "inspect/verify.h"
#include "inspect/wrap.h"
#include "pipeline/run.h"

namespace heed::cli {
namespace {

struct VerifyArgs {
  RunOptions run;
  std::vector<std::string> edits;
  bool json = false;
  int threads = 0;
};

inspect::Verified subject(const VerifyArgs& args, std::string& what) {
  const auto& name = args.run.run;
  std::error_code ignored;
  if (std::filesystem::is_directory(name, ignored)) {
    if (!args.edits.empty()) {
      throw ConfigError("--set: changes a config, and " + name + " is a run");
    }
    const auto run = pipeline::open_run(name, args.run.checkpoint, args.run.device);
    what = fmt::format("{} · {}", name, run.checkpoint.filename().string());
    return inspect::verified(run);
  }
  const auto config = load_shape(name, args.edits);
  what = fmt::format("{} · fresh weights, seed {}", name, config.seed);
  return inspect::verified(config, pick_device(args.run.device));
}

std::string report(const std::string& what, const inspect::Verified& verified,
                   const std::vector<inspect::Check>& checks) {
  const auto& model = verified.config;
  const auto positions = model.recurrent() ? "" : " · positions " + model.positions;
  auto text = inspect::wrapped(fmt::format("{} · {} · d_model {}{}", what,
                                           attention_text(model, verified.model.translates()),
                                           model.d_model, positions)) +
              "\n" + inspect::check_header();
  for (const auto& check : checks) text += inspect::check_line(check);
  return text + "\n" + inspect::check_counts(checks) + "\n";
}

void verify(const VerifyArgs& args) {
  use_threads(args.threads);
  std::string what;
  const auto verified = subject(args, what);
  const auto checks = inspect::verify(verified);

  OutputFile output("-");
  if (args.json) {
    config::Json json{{"subject", what}};
    json.update(inspect::checks_json(checks));
    output.write_line(json.dump());
  } else {
    output.write(report(what, verified, checks));
  }
  output.commit();

  std::vector<std::string> failed;
  for (const auto& check : checks) {
    if (check.failed()) failed.push_back(check.name);
  }
  if (failed.empty()) return;
  throw Error(fmt::format("{}: {} of {} checks failed: {}", args.run.run, failed.size(),
                          checks.size(), fmt::join(failed, "; ")));
}

}  // namespace

void add_verify(CLI::App& app) {
  auto args = std::make_shared<VerifyArgs>();
  auto* command = app.add_subcommand(
      "verify", "Check a model: masks, order, batches, caches, gradients, initialization");
  command->add_option("run", args->run.run, "Directory of a run, or a config as for 'heed train'")
      ->required();
  command
      ->add_option("--checkpoint", args->run.checkpoint, "Of a run: best, last, step-N or a path")
      ->capture_default_str();
  command
      ->add_option("--set", args->edits,
                   "Change the config, as in --set model.heads=1; may come more than once")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--device", args->run.device, "cpu, cuda, cuda:N or auto")
      ->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object");
  add_threads_option(*command, args->threads);
  command->footer(
      "Each line: what is measured on random tokens, the value, its bound, the result.\n"
      "Exits with 1 where a check fails. A config is checked with fresh weights.");
  command->callback([args] { verify(*args); });
}

}  // namespace heed::cli
