#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/load_config.h"
#include "cli/rate_plot.h"
#include "config/json.h"

namespace heed::cli {
namespace {

struct ScheduleArgs {
  std::string config;
  std::vector<std::string> edits;
  int64_t steps = 0;
  bool json = false;
};

int64_t planned_steps(const ScheduleArgs& args, const config::Train& train) {
  if (args.steps > 0) return args.steps;
  if (train.max_steps > 0) return train.max_steps;
  throw ConfigError(
      "--steps is missing; train.max_steps is 0, so nothing else says how many there will be");
}

std::string summary(const config::Run& config, const std::vector<double>& rates) {
  const auto& train = config.train;
  const auto peak = std::ranges::max_element(rates);
  return fmt::format(
      "{} · lr {} · {} warm-up steps · {} steps\npeak {:.3g} at step {} · last {:.3g}\n\n{}",
      train.schedule, train.lr, train.warmup_steps, rates.size(), *peak, peak - rates.begin() + 1,
      rates.back(), rate_plot(rates));
}

void schedule(const ScheduleArgs& args) {
  const auto config = load_config(args.config, args.edits);
  const auto steps = planned_steps(args, config.train);
  const auto rates = planned_rates(config.train, config.model.d_model, steps);
  OutputFile output("-");
  if (args.json) {
    output.write_line(config::Json{{"schedule", config.train.schedule}, {"rates", rates}}.dump());
  } else {
    output.write(summary(config, rates));
  }
  output.commit();
  for (const auto& warning : schedule_warnings(config.train, rates)) log::warning(warning);
  if (config.train.schedule == "plateau") {
    log::info("plateau goes down where validation does not get better, which no plan can know");
  }
}

}  // namespace

void add_schedule(CLI::App& app) {
  auto args = std::make_shared<ScheduleArgs>();
  auto* command = app.add_subcommand("schedule", "Draw the learning rate of a config");
  command->add_option("config", args->config, "JSON file of a training")->required();
  command
      ->add_option("--set", args->edits,
                   "Change the config, as in --set train.lr=3e-4; may come more than once")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--steps", args->steps, "Updates of the run [train.max_steps]")
      ->check(CLI::Range(1, 100'000'000));
  command->add_flag("--json", args->json, "Print one JSON object, with the rate of every update");
  command->callback([args] { schedule(*args); });
}

}  // namespace heed::cli
