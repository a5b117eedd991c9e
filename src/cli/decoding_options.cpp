#include "cli/decoding_options.h"

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/torch.h"
#include "cli/not_empty.h"
#include "model/cache_options.h"

namespace heed::cli {

void add_run_options(CLI::App& command, RunOptions& options) {
  // No CLI::ExistingDirectory: a missing run is a fault of the files (1), not of the command line
  // (2), and open_run can say what a run is.
  command.add_option("run", options.run, "Directory written by 'heed train'")
      ->check(not_empty())
      ->required();
  command.add_option("--checkpoint", options.checkpoint, "best, last, step-N or a path")
      ->check(not_empty())
      ->capture_default_str();
  command.add_option("--device", options.device, "cpu, cuda, cuda:N or auto")
      ->capture_default_str();
}

void add_threads_option(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "CPU threads; 0: one a core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

void use_threads(int threads) {
  if (threads > 0) torch::set_num_threads(threads);
}

void add_batch_options(CLI::App& command, DecodingOptions& options) {
  command
      .add_option("--batch-size", options.batch_size,
                  "Sentences at once [the run's decode.batch_size]")
      ->check(CLI::Range(1, 1 << 20));
  command
      .add_option("--overlong", options.overlong,
                  "What a line over data.max_len tokens gets: truncate, split (read in parts) or "
                  "error [the run's decode.overlong]")
      ->check(CLI::IsMember({"truncate", "split", "error"}));
}

void add_search_options(CLI::App& command, DecodingOptions& options) {
  command
      .add_option("--beam-size", options.beam_size,
                  "Hypotheses kept per sentence; 1 is greedy search [the run's decode.beam_size]")
      ->check(CLI::Range(1, 64));
  command
      .add_option("--length-penalty", options.length_penalty,
                  "Exponent of the length a score is divided by [the run's decode.length_penalty]")
      ->check(CLI::Range(0.0, 10.0));
  command
      .add_option("--max-len", options.max_len,
                  "Tokens of a result; 0: twice the source's and 20; never above data.max_len [the "
                  "run's decode.max_len]")
      ->check(CLI::Range(0, 1 << 20));
  command
      .add_option("--cache-max", options.cache_max,
                  "Keys kept of the tokens written so far, the first few and the most recent; 0: "
                  "all [the run's decode.cache_max]")
      ->check(CLI::Range(0, 1 << 20));
  command
      .add_option("--cache-precision", options.cache_precision,
                  "How keys and values are kept: fp32 (as computed), bf16 or int8 [the run's "
                  "decode.cache_precision]")
      ->check(CLI::IsMember({"fp32", "bf16", "int8"}));
}

void DecodingOptions::refuse_search(const std::string& why) const {
  const auto refuse = [&](bool given, const char* option) {
    if (given) throw ConfigError(fmt::format("{}: {}; leave it out", option, why));
  };
  refuse(beam_size.has_value(), "--beam-size");
  refuse(n_best.has_value(), "--n-best");
  refuse(length_penalty.has_value(), "--length-penalty");
  refuse(max_len.has_value(), "--max-len");
  refuse(cache_max.has_value(), "--cache-max");
  refuse(cache_precision.has_value(), "--cache-precision");
}

std::string DecodingOptions::by_option(const std::string& fault) const {
  const auto as = [&](bool given, const std::string& key, const std::string& option) {
    return given && fault.starts_with(key + ": ") ? option + fault.substr(key.size())
                                                  : std::string();
  };
  for (const auto& text :
       {as(n_best.has_value(), "decode.n_best", "--n-best"),
        as(overlong.has_value(), "decode.overlong", "--overlong"),
        as(length_penalty.has_value(), "decode.length_penalty", "--length-penalty"),
        as(cache_max.has_value(), "decode.cache_max", "--cache-max"),
        as(cache_precision.has_value(), "decode.cache_precision", "--cache-precision")}) {
    if (!text.empty()) return text;
  }
  return fault;
}

config::Decode DecodingOptions::over(config::Run run) const {
  auto& config = run.decode;
  config.beam_size = beam_size.value_or(config.beam_size);
  config.n_best = n_best.value_or(config.n_best);
  config.length_penalty = length_penalty.value_or(config.length_penalty);
  config.batch_size = batch_size.value_or(config.batch_size);
  config.max_len = max_len.value_or(config.max_len);
  config.overlong = overlong.value_or(config.overlong);
  config.cache_max = cache_max.value_or(config.cache_max);
  config.cache_precision = cache_precision.value_or(config.cache_precision);
  try {
    config.check("decode");
    run.check("");
    if (run.task == "translate") model::check_caches(run.model, config);
  } catch (const ConfigError& error) {
    throw ConfigError(by_option(error.what()));
  }
  return config;
}

}  // namespace heed::cli
