#include "cli/decoding_options.h"

namespace heed::cli {

void add_run_options(CLI::App& command, RunOptions& options) {
  // No CLI::ExistingDirectory: a missing run is a fault of the files (1), not of the command line
  // (2), and open_run can say what a run is.
  command.add_option("run", options.run, "Directory written by 'heed train'")->required();
  command.add_option("--checkpoint", options.checkpoint, "best, last, step-N or a path")
      ->capture_default_str();
  command.add_option("--device", options.device, "cpu, cuda, cuda:N or auto")
      ->capture_default_str();
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
}

config::Decode DecodingOptions::over(config::Decode config) const {
  config.beam_size = beam_size.value_or(config.beam_size);
  config.n_best = n_best.value_or(config.n_best);
  config.length_penalty = length_penalty.value_or(config.length_penalty);
  config.batch_size = batch_size.value_or(config.batch_size);
  config.max_len = max_len.value_or(config.max_len);
  config.overlong = overlong.value_or(config.overlong);
  config.check("decode");
  return config;
}

}  // namespace heed::cli
