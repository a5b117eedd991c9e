#include <filesystem>
#include <memory>
#include <string>

#include <spdlog/fmt/fmt.h>

#include "base/files.h"
#include "checkpoint/directory.h"
#include "checkpoint/weight_hashes.h"
#include "cli/commands.h"
#include "cli/run_directory.h"

namespace fs = std::filesystem;

namespace heed::cli {
namespace {

struct DiffArgs {
  std::string first;
  std::string second;
};

config::Run config_of(const fs::path& run) {
  checkpoint::require_run(run);
  return config::parse_run(read_file(run / "config.json"), (run / "config.json").string());
}

void diff(const DiffArgs& args) {
  const auto first_config = config_of(args.first), second_config = config_of(args.second);
  const auto first = checkpoint::read_weight_hashes(fs::path(args.first) / "weights.jsonl");
  const auto second = checkpoint::read_weight_hashes(fs::path(args.second) / "weights.jsonl");
  const auto parting = checkpoint::first_difference(first, second);

  OutputFile output("-");
  for (const auto& change : config_changes(first_config, second_config)) {
    output.write_line("config   " + change);
  }
  if (parting) {
    output.write_line(fmt::format(
        "weights  differ from step {} on, first in {}{}", parting->step, parting->tensor,
        parting->last_equal ? fmt::format("; equal at step {}", *parting->last_equal) : ""));
  } else {
    int64_t common = 0;
    for (const auto& entry : first) common += second.contains(entry.first) ? 1 : 0;
    output.write_line(common == 0   ? "weights  no step is recorded in both runs"
                      : common == 1 ? "weights  equal at the one common step"
                                    : fmt::format("weights  equal at all {} common steps", common));
  }
  output.commit();
}

}  // namespace

void add_diff(CLI::App& app) {
  auto args = std::make_shared<DiffArgs>();
  auto* command =
      app.add_subcommand("diff", "Say where two runs part: configs, and the first step and tensor");
  command->add_option("run", args->first, "A run")->required();
  command->add_option("other", args->second, "Another run")->required();
  command->callback([args] { diff(*args); });
}

}  // namespace heed::cli
