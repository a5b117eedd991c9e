#include "cli/help.h"

#include <cstddef>
#include <sstream>

#include <spdlog/fmt/fmt.h>

namespace heed::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kLeft = 26;  // columns of names

/// The name on the left, the words of the text on the right, broken before column kWidth.
std::string entry(const std::string& name, const std::string& text) {
  std::string out = fmt::format("  {:<{}}", name, kLeft - 2);
  std::size_t column = out.size();
  if (name.size() + 3 > kLeft) {
    out += fmt::format("\n{:{}}", "", kLeft);
    column = kLeft;
  }
  std::istringstream words(text);
  bool first = true;
  for (std::string word; words >> word; first = false) {
    if (!first && column + 1 + word.size() > kWidth) {
      out += fmt::format("\n{:{}}", "", kLeft);
      column = kLeft;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + '\n';
}

}  // namespace

Help::Help() { label("Positionals", "Arguments"); }

std::string Help::make_usage(const CLI::App* command, std::string /*name*/) const {
  std::string line = "Usage: " + full_name(*command);
  if (!command->get_subcommands([](const CLI::App*) { return true; }).empty()) line += " COMMAND";
  for (const auto* option : command->get_options()) {
    if (!option->get_positional()) continue;
    const auto name = upper(option->get_name(true));
    line += option->get_required() ? " " + name : fmt::format(" [{}]", name);
  }
  return line + " [OPTIONS]\n";
}

std::string Help::make_option(const CLI::Option* option, bool positional) const {
  auto name = option->get_name(positional, /*all_options=*/!positional);
  if (positional) {
    name = upper(option->get_name(true));
  } else if (option->get_type_size() != 0) {
    // A validator writes itself behind the type: "INT:INT in [1 - 64]".
    const auto type = option->get_type_name();
    name += ' ' + type.substr(0, type.find_first_of(":="));
  }
  auto text = option->get_description();
  if (const auto given = option->get_default_str(); !given.empty()) {
    text += given.starts_with('[') ? ' ' + given : fmt::format(" [{}]", given);  // of a list
  }
  if (!positional && option->get_required()) text += " (required)";
  return entry(name, text);
}

std::string Help::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string full_name(const CLI::App& command) {
  const auto* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + ' ' + command.get_name();
}

std::string upper(std::string name) {
  for (auto& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

}  // namespace heed::cli
