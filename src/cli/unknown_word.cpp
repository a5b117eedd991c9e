#include "cli/unknown_word.h"

#include <algorithm>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "base/nearest.h"

namespace heed::cli {
namespace {

/// The command that was being read when the words ran out of meaning: `heed tokenizer train`.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  for (auto chosen = command->get_subcommands(); !chosen.empty();
       chosen = command->get_subcommands()) {
    command = chosen.front();
  }
  return *command;
}

std::string unknown_option(const std::string& word, const CLI::App& command) {
  std::vector<std::string> known;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  }
  const auto option = word.substr(0, word.find('='));
  return fmt::format("{}: unknown option of '{}'; did you mean '{}'?", option, command.get_name(),
                     nearest(option, known));
}

}  // namespace

std::string unknown_word(const CLI::App& app) {
  const auto left = app.remaining(/*recurse=*/true);
  const auto& command = innermost(app);
  const auto option =
      std::ranges::find_if(left, [](const auto& w) { return w.size() > 1 && w[0] == '-'; });
  if (option != left.end()) return unknown_option(*option, command);

  std::vector<std::string> known;
  for (const auto* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(sub->get_name());
  }
  if (left.empty() || known.empty()) return {};
  return fmt::format("{}: unknown command of '{}'; did you mean '{}'?", left.front(),
                     command.get_name(), nearest(left.front(), known));
}

}  // namespace heed::cli
