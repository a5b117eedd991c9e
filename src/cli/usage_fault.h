#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heed::cli {

/// What is wrong with a command line, in one line: an unknown word with the nearest known one, a
/// word that is missing, a value that doesn't do; and where to read on.
std::string usage_fault(const CLI::App& app, const CLI::ParseError& error);

}  // namespace heed::cli
