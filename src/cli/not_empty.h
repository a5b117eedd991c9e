#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heed::cli {

/// Refuses "", as an unset variable of a shell gives.
inline CLI::Validator not_empty() {
  return {[](std::string& word) { return word.empty() ? std::string("is empty") : std::string(); },
          "", "not empty"};
}

}  // namespace heed::cli
