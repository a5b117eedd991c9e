#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heed::cli {

/// After a failed parse: what to say about the first option or command that heed doesn't know, with
/// the nearest one there is; empty where that was not the fault.
std::string unknown_word(const CLI::App& app);

}  // namespace heed::cli
