#include <memory>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/files.h"
#include "base/log.h"
#include "base/torch.h"
#include "cli/commands.h"
#include "cli/data_check.h"
#include "cli/load_config.h"
#include "config/run.h"
#include "data/toy_corpus.h"

namespace heed::cli {
namespace {

struct MakeArgs {
  std::string name;
  std::string out;
};

struct CheckArgs {
  std::string config;
  std::vector<std::string> edits;
  int threads = 0;
  bool json = false;
};

void make(const MakeArgs& args) {
  data::write_toy_corpus(args.name, args.out);
  log::info(fmt::format("data     {} written to {}", args.name, args.out));
}

void check(const CheckArgs& args) {
  if (args.threads > 0) torch::set_num_threads(args.threads);
  const auto found = check_data(load_config(args.config, args.edits));
  OutputFile output("-");
  output.write(
      args.json ? to_json(found).dump(-1, ' ', false, config::Json::error_handler_t::replace) + "\n"
                : to_text(found));
  output.commit();
}

void add_make(CLI::App& data) {
  auto args = std::make_shared<MakeArgs>();
  auto* command =
      data.add_subcommand("make", "Write a built-in toy corpus, the same bytes every time");
  command->add_option("name", args->name, fmt::format("{}", fmt::join(data::toy_corpora(), ", ")))
      ->required();
  command->add_option("--out", args->out, "Directory for its files; made where missing")
      ->required();
  command->callback([args] { make(*args); });
}

void add_check(CLI::App& data) {
  auto args = std::make_shared<CheckArgs>();
  auto* command = data.add_subcommand(
      "check", "Report lengths, repeats, overlap and suspicious lines of a config's data");
  command->add_option("config", args->config, "JSON file as for 'heed train'")->required();
  command
      ->add_option("--set", args->edits,
                   "Change the config, as in --set data.max_len=50; may come more than once")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--threads", args->threads, "CPU threads; 0: one a core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object");
  command->callback([args] { check(*args); });
}

}  // namespace

void add_data(CLI::App& app) {
  auto* command = app.add_subcommand("data", "Make the built-in toy corpora; check data");
  command->require_subcommand(1);
  add_make(*command);
  add_check(*command);
}

}  // namespace heed::cli
