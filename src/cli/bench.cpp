#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "base/device.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "bench/decode.h"
#include "bench/train.h"
#include "cli/bench_attention.h"
#include "cli/commands.h"
#include "cli/load_config.h"
#include "cli/loaded_batches.h"
#include "cli/training_data.h"
#include "cli/training_task.h"
#include "config/fields.h"
#include "config/run.h"

namespace heed::cli {
namespace {

using config::Json;

/// What both benchmarks take.
struct BenchArgs {
  std::string config;
  std::vector<std::string> edits;
  std::string device = "auto";
  int threads = 0;
  bool json = false;
};

struct BenchTrainArgs : BenchArgs {
  bench::TrainOptions options;
};

struct BenchDecodeArgs : BenchArgs {
  bench::DecodeOptions options;
  std::optional<int64_t> beam_size;
  std::optional<int64_t> batch_size;
};

/// One JSON object, or a line a key for a person.
void print(const Json& report, bool json) {
  std::string text;
  if (json) {
    text = report.dump() + "\n";
  } else {
    for (const auto& [key, value] : report.items()) {
      text += fmt::format("{:<18} {}\n", key, value.dump());
    }
  }
  OutputFile output("-");
  output.write(text);
  output.commit();
}

double rounded(double value, int digits) {
  return std::stod(fmt::format("{:.{}f}", value, digits));
}

torch::Device prepare(const BenchArgs& args) {
  keep_freed_memory();
  if (args.threads > 0) torch::set_num_threads(args.threads);
  return pick_device(args.device);
}

Json train_json(const bench::TrainReport& report, torch::Device device) {
  const auto& phases = report.phases;
  return {{"tokens_per_second", rounded(report.tokens_per_second, 1)},
          {"spread", {rounded(report.slowest, 1), rounded(report.fastest, 1)}},
          {"latency_ms", rounded(report.latency_ms, 2)},
          {"peak_memory_mb", rounded(report.peak_memory_mb, 1)},
          {"gflops", rounded(report.gflops, 1)},
          {"padding", rounded(report.padding, 4)},
          {"loss", rounded(report.loss, 4)},
          {"seconds", rounded(report.seconds, 4)},
          {"phases",
           {{"data", rounded(phases.data, 4)},
            {"forward", rounded(phases.forward, 4)},
            {"backward", rounded(phases.backward, 4)},
            {"update", rounded(phases.update, 4)}}},
          {"device", device.str()},
          {"threads", torch::get_num_threads()}};
}

void bench_train(const BenchTrainArgs& args) {
  const auto device = prepare(args);
  auto config = load_config(args.config, args.edits);
  config.data.valid = {};
  const auto data = read_training_data(config, std::nullopt);
  auto task = build_task(config, data.sizes(config), device);
  LoadedBatches source(*data.train, config);
  const auto projection =
      task.classifier ? task.classifier->output_weight() : task.encoder_decoder->output_weight();
  const auto report =
      bench::bench_train(*task.objective, source, config, projection.numel(), device, args.options);
  print(train_json(report, device), args.json);
}

void bench_decode(const BenchDecodeArgs& args) {
  const auto device = prepare(args);
  auto config = load_shape(args.config, args.edits);
  auto& decode = config.decode;
  decode.beam_size = args.beam_size.value_or(decode.beam_size);
  decode.batch_size = args.batch_size.value_or(decode.batch_size);
  const auto report = bench::bench_decode(config, args.options, device);
  print({{"tokens_per_second", rounded(report.tokens_per_second, 1)},
         {"latency_ms", rounded(report.latency_ms, 3)},
         {"peak_memory_mb", rounded(report.peak_memory_mb, 1)},
         {"seconds", rounded(report.seconds, 4)},
         {"phases",
          {{"encode", rounded(report.encode_seconds, 4)},
           {"search", rounded(report.search_seconds, 4)}}},
         {"beam_size", decode.beam_size},
         {"batch_size", decode.batch_size},
         {"length", args.options.length},
         {"device", device.str()},
         {"threads", torch::get_num_threads()}},
        args.json);
}

void add_bench_options(CLI::App& command, BenchArgs& args) {
  command.add_option("--config", args.config, "JSON file as for 'heed train'")->required();
  command
      .add_option("--set", args.edits,
                  "Change the config, as in --set model.d_model=256; may come more than once")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--device", args.device, "cpu, cuda, cuda:N or auto: CUDA where there is one")
      ->capture_default_str();
  command.add_option("--threads", args.threads, "CPU threads; 0: one a core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command.add_flag("--json", args.json, "Print one JSON object");
}

void add_bench_train(CLI::App& bench) {
  auto args = std::make_shared<BenchTrainArgs>();
  auto* command = bench.add_subcommand("train", "Time updates on the config's training data");
  add_bench_options(*command, *args);
  command->add_option("--steps", args->options.steps, "Updates timed, after 4 that warm up")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  command->callback([args] { bench_train(*args); });
}

void add_bench_decode(CLI::App& bench) {
  auto args = std::make_shared<BenchDecodeArgs>();
  auto* command = bench.add_subcommand(
      "decode", "Time decoding on random weights of the config's shape and random sources");
  add_bench_options(*command, *args);
  command
      ->add_option("--beam-size", args->beam_size,
                   "Hypotheses kept per sentence; 1 is greedy search [decode.beam_size]")
      ->check(CLI::Range(1, 64));
  command->add_option("--batch-size", args->batch_size, "Sentences at once [decode.batch_size]")
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--length", args->options.length, "Tokens written for each sentence")
      ->check(CLI::Range(1, 1 << 16))
      ->capture_default_str();
  command->add_option("--sentences", args->options.sentences, "Sentences of a round; 3 rounds")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command->callback([args] { bench_decode(*args); });
}

}  // namespace

void add_bench(CLI::App& app) {
  auto* bench = app.add_subcommand("bench", "Measure speed and memory");
  bench->require_subcommand(1);
  add_bench_train(*bench);
  add_bench_decode(*bench);
  add_bench_attention(*bench);
}

}  // namespace heed::cli
