#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heed::cli {

/// --help within 80 columns: a name and its kind of value on the left, the explanation wrapped on
/// the right. What CLI11 adds of its own (ranges, needs, excludes) is said by the texts and by the
/// errors.
class Help final : public CLI::Formatter {
 public:
  Help();
  std::string make_usage(const CLI::App* command, std::string name) const override;
  std::string make_option(const CLI::Option* option, bool positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

/// "heed tokenizer train"
std::string full_name(const CLI::App& command);

/// ASCII letters as capitals: how an argument without dashes is named.
std::string upper(std::string name);

}  // namespace heed::cli
