#include <filesystem>
#include <memory>
#include <string>

#include "base/files.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/not_empty.h"
#include "inspect/report.h"

namespace heed::cli {
namespace {

struct ReportArgs {
  std::string run;
  std::string out;  // empty: report.html in the run
};

void report(const ReportArgs& args) {
  const auto file =
      args.out.empty() ? (std::filesystem::path(args.run) / "report.html").string() : args.out;
  const auto html = inspect::report_page(args.run);
  OutputFile output(file);
  output.write(html);
  output.commit();
  if (file != "-") log::info(file);
}

}  // namespace

void add_report(CLI::App& app) {
  auto args = std::make_shared<ReportArgs>();
  auto* command = app.add_subcommand(
      "report", "Make one page of a training: curves, evaluations, samples, config");
  command->add_option("run", args->run, "Directory written by 'heed train'")
      ->check(not_empty())
      ->required();
  command->add_option("--out", args->out,
                      "The page [report.html in the run]; - is standard output");
  command->callback([args] { report(*args); });
}

}  // namespace heed::cli
