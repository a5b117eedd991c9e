#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "config/decode.h"
#include "config/model.h"

namespace heed::cli {

/// What every command that opens a run takes.
struct RunOptions {
  std::string run;
  std::string checkpoint = "best";
  std::string device = "auto";
};

/// --threads of the commands that compute on the CPU without workers; 0: one a core.
void add_threads_option(CLI::App& command, int& threads);
void use_threads(int threads);

void add_run_options(CLI::App& command, RunOptions& options);

/// What overrides `decode` of the run's config; unset: as the config says.
struct DecodingOptions {
  std::optional<int64_t> beam_size;
  std::optional<int64_t> n_best;
  std::optional<double> length_penalty;
  std::optional<int64_t> batch_size;
  std::optional<int64_t> max_len;
  std::optional<std::string> overlong;
  std::optional<int64_t> cache_max;
  std::optional<std::string> cache_precision;

  /// Throws ConfigError, which names an option where one was given, where the result doesn't fit
  /// together.
  config::Decode over(config::Decode config) const;

  /// Likewise, and where the model has no keys that caches could forget or round.
  config::Decode over(config::Decode config, const config::Model& model) const;

  /// Throws ConfigError, naming the option, where one of search is given; `why`: there is none.
  void refuse_search(const std::string& why) const;

 private:
  std::string by_option(const std::string& fault) const;
};

/// The options of batches, which classify takes too.
void add_batch_options(CLI::App& command, DecodingOptions& options);

/// The options of search.
void add_search_options(CLI::App& command, DecodingOptions& options);

}  // namespace heed::cli
