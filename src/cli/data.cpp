#include <memory>
#include <string>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/log.h"
#include "cli/commands.h"
#include "data/toy_corpus.h"

namespace heed::cli {
namespace {

struct MakeArgs {
  std::string name;
  std::string out;
};

void make(const MakeArgs& args) {
  data::write_toy_corpus(args.name, args.out);
  log::info(fmt::format("data     {} written to {}", args.name, args.out));
}

}  // namespace

void add_data(CLI::App& app) {
  auto* command = app.add_subcommand("data", "Make the built-in toy corpora");
  command->require_subcommand(1);

  auto args = std::make_shared<MakeArgs>();
  auto* make_command = command->add_subcommand("make", "Write one, the same bytes every time");
  make_command
      ->add_option("name", args->name, fmt::format("{}", fmt::join(data::toy_corpora(), ", ")))
      ->required();
  make_command->add_option("--out", args->out, "Directory for its files; made where missing")
      ->required();
  make_command->callback([args] { make(*args); });
}

}  // namespace heed::cli
