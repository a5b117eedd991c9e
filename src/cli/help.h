#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heed::cli {

/// --help within 80 columns: a name and its kind of value on the left, the explanation wrapped on
/// the right. What CLI11 adds of its own (ranges, needs, excludes) is said by the texts and by the
/// errors.
class Help final : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace heed::cli
