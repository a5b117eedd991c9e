#include <memory>
#include <string>

#include "base/files.h"
#include "checkpoint/average.h"
#include "cli/commands.h"
#include "cli/not_empty.h"

namespace heed::cli {
namespace {

struct AverageArgs {
  std::string run;
  int64_t last = 0;
};

void average(const AverageArgs& args) {
  OutputFile output("-");
  output.write_line(checkpoint::average_last(args.run, args.last).string());
  output.commit();
}

}  // namespace

void add_average(CLI::App& app) {
  auto args = std::make_shared<AverageArgs>();
  auto* command = app.add_subcommand(
      "average", "Average the weights of a run's last checkpoints into a new checkpoint");
  command->add_option("run", args->run, "Directory of a training run")
      ->check(not_empty())
      ->required();
  command->add_option("--last", args->last, "Newest checkpoints to average; 0: all there are")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  command->footer("Prints the new checkpoint's directory, which --checkpoint takes.");
  command->callback([args] { average(*args); });
}

}  // namespace heed::cli
