#include "cli/usage_fault.h"

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/nearest.h"
#include "cli/help.h"

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

/// "; did you mean 'WORD'?", and nothing where no known word is like it.
std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const auto guess = nearest(word, known);
  const bool like = guess.starts_with(word) || 2 * edit_distance(word, guess) <= word.size();
  return like ? fmt::format("; did you mean '{}'?", guess) : "";
}

std::vector<std::string> command_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(sub->get_name());
  }
  return names;
}

std::string unknown_option(const std::string& word, const CLI::App& command) {
  std::vector<std::string> known;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  }
  const auto option = word.substr(0, word.find('='));
  return fmt::format("{}: unknown option of '{}'{}", option, full_name(command),
                     suggestion(option, known));
}

/// Empty where every word is known.
std::string unknown_word(const CLI::App& app, const CLI::App& command) {
  const auto left = app.remaining(/*recurse=*/true);
  const auto option =
      std::ranges::find_if(left, [](const auto& w) { return w.size() > 1 && w[0] == '-'; });
  if (option != left.end()) return unknown_option(*option, command);
  if (left.empty()) return {};
  const auto known = command_names(command);
  if (known.empty()) {
    return fmt::format("{}: one argument too many for '{}'", left.front(), full_name(command));
  }
  return fmt::format("{}: unknown command of '{}'{}", left.front(), full_name(command),
                     suggestion(left.front(), known));
}

/// "--seed: Value -1 not in range 0.000000 to 10.000000" ->
/// "--seed: must be a number from 0 to 10, got '-1'"
std::string range_fault(const std::string& text) {
  static const std::regex kRange("^(.*): Value (.*) not in range (.*) to (.*)$");
  std::smatch found;
  if (!std::regex_match(text, found, kRange)) return {};
  const double low = std::stod(found[3].str()), high = std::stod(found[4].str());
  const auto limits =
      high < 1e300 ? fmt::format("from {} to {}", low, high) : fmt::format("at least {}", low);
  return fmt::format("{}: must be a number {}, got '{}'", found[1].str(), limits, found[2].str());
}

/// CLI11's words, put as the other errors are where they read like a program's own.
std::string in_our_words(const CLI::App& command, const CLI::ParseError& error) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const auto known = command_names(command);
    if (!known.empty()) return fmt::format("a command is missing: {}", fmt::join(known, ", "));
    const auto name = text.substr(0, text.find(" is required"));
    return fmt::format("{} is missing", name.starts_with('-') ? name : upper(name));
  }
  if (const auto fault = range_fault(text); !fault.empty()) return fault;
  const auto value_missing = text.find(": 1 required ");
  return value_missing == text.npos ? text : text.substr(0, value_missing) + ": needs a value";
}

}  // namespace

std::string usage_fault(const CLI::App& app, const CLI::ParseError& error) {
  const auto& command = innermost(app);
  auto text = unknown_word(app, command);
  if (text.empty()) text = in_our_words(command, error);
  return fmt::format("{}{} see '{} --help'", text, text.ends_with('?') ? "" : ";",
                     full_name(command));
}

}  // namespace heed::cli
