#include "cli/bench_attention.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/counted.h"
#include "base/device.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "bench/attention.h"
#include "bench/growth.h"
#include "cli/child_process.h"
#include "config/fields.h"

namespace heed::cli {
namespace {

using config::Json;

constexpr int64_t kGrowthFrom = 2048;  // shorter lengths measure what all have in common

struct BenchAttentionArgs {
  std::vector<int64_t> lengths{512, 1024, 2048, 4096, 8192};
  std::vector<std::string> types{"explicit", "fused", "window", "longformer", "bigbird", "linear"};
  int64_t d_model = 256;
  int64_t heads = 4;
  int64_t batch = 1;
  int64_t window = 256;
  std::string device = "auto";
  int threads = 0;
  bool json = false;
  bool here = false;  // one cell, measured by this very process
};

/// One row of the table.
struct Cell {
  std::string type;
  int64_t length = 0;
  std::optional<bench::AttentionCost> cost{};
  std::string fault{};  // why there is none
};

/// Costs, each with the name of its key.
struct Quantity {
  const char* key;
  double bench::AttentionCost::* value;
};
constexpr Quantity kQuantities[] = {
    {"forward_ms", &bench::AttentionCost::forward_ms},
    {"training_ms", &bench::AttentionCost::training_ms},
    {"forward_memory_mb", &bench::AttentionCost::forward_memory_mb},
    {"training_memory_mb", &bench::AttentionCost::training_memory_mb},
    {"peak_memory_mb", &bench::AttentionCost::peak_memory_mb},
};
constexpr std::size_t kGrowing = 4;  // the first of them

Json cost_json(const bench::AttentionCost& cost) {
  Json json;
  for (const auto& [key, value] : kQuantities) json[key] = cost.*value;
  return json;
}

bench::AttentionCost cost_of(const Json& json) {
  bench::AttentionCost cost;
  for (const auto& [key, value] : kQuantities) {
    const auto& number = json.at(key);  // null: not measured
    cost.*value =
        number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.get<double>();
  }
  return cost;
}

void measure_here(const BenchAttentionArgs& args) {
  if (args.threads > 0) torch::set_num_threads(args.threads);
  bench::AttentionCell cell{
      .type = args.types.at(0), .length = args.lengths.at(0), .batch = args.batch};
  cell.model.d_model = args.d_model;
  cell.model.heads = cell.type == "single_head" ? 1 : args.heads;
  cell.model.attention.window = args.window;
  OutputFile output("-");
  output.write_line(cost_json(bench::bench_attention(cell, pick_device(args.device))).dump());
  output.commit();
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// A process of its own for each cell, so that its memory is its own.
Cell measure(const BenchAttentionArgs& args, const std::string& type, int64_t length) {
  const auto text = [](auto number) { return fmt::format("{}", number); };
  const auto child = run_self(
      {"bench", "attention", "--here", "--types", type, "--lengths", text(length), "--d-model",
       text(args.d_model), "--heads", text(args.heads), "--batch", text(args.batch), "--window",
       text(args.window), "--device", args.device, "--threads", text(args.threads)});
  Cell cell{.type = type, .length = length};
  const auto line = last_line(child.output);
  if (child.exit_code == 0) {
    cell.cost = cost_of(config::parse_json(line, "a cell"));
  } else if (child.exit_code == 2) {
    throw ConfigError(line.substr(line.find(": ") + 2));  // behind "error: "
  } else if (child.exit_code == 128 + SIGKILL) {
    cell.fault = "killed by the system, as it does when memory runs out";
  } else {
    cell.fault = line.starts_with("error: ") ? line.substr(7) : line;
  }
  return cell;
}

std::vector<Cell> measure_all(const BenchAttentionArgs& args) {
  std::vector<Cell> cells;
  const auto all = args.types.size() * args.lengths.size();
  for (const auto& type : args.types) {
    for (const auto length : args.lengths) {
      log::status(fmt::format("{} of {}: {}, length {}", cells.size() + 1, all, type, length));
      cells.push_back(measure(args, type, length));
    }
  }
  log::status("");
  return cells;
}

/// The lengths that growth is fitted over: those from kGrowthFrom on, all where they are too few.
bool fits(const BenchAttentionArgs& args, int64_t length) {
  const auto long_ones =
      std::ranges::count_if(args.lengths, [](auto each) { return each >= kGrowthFrom; });
  return long_ones < 2 || length >= kGrowthFrom;
}

std::vector<int64_t> fitted_lengths(const BenchAttentionArgs& args) {
  std::vector<int64_t> lengths;
  std::ranges::copy_if(args.lengths, std::back_inserter(lengths),
                       [&](auto length) { return fits(args, length); });
  return lengths;
}

std::optional<double> growth(const BenchAttentionArgs& args, const std::vector<Cell>& cells,
                             const std::string& type, const Quantity& quantity) {
  std::vector<bench::SizeCost> points;
  for (const auto& cell : cells) {
    if (cell.type != type || !cell.cost || !fits(args, cell.length)) continue;
    points.push_back({static_cast<double>(cell.length), (*cell.cost).*quantity.value});
  }
  return bench::growth_exponent(points);
}

std::optional<double> times_explicit(const std::vector<Cell>& cells, const Cell& cell) {
  const auto found = std::ranges::find_if(cells, [&](const auto& other) {
    return other.type == "explicit" && other.length == cell.length && other.cost;
  });
  if (found == cells.end() || !cell.cost) return std::nullopt;
  return found->cost->forward_ms / cell.cost->forward_ms;
}

std::string mib(double value) { return std::isnan(value) ? "–" : fmt::format("{:.1f}", value); }

Json number_or_null(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json report_json(const BenchAttentionArgs& args, const std::vector<Cell>& cells) {
  const config::Attention of_bigbird;
  Json json{{"d_model", args.d_model},
            {"heads", args.heads},
            {"batch", args.batch},
            {"window", args.window},
            {"random", of_bigbird.random},
            {"block", of_bigbird.block},
            {"global_positions", bench::kBenchGlobals},
            {"device", args.device},
            {"threads", args.threads},
            {"cells", Json::array()},
            {"growth", Json::array()}};
  for (const auto& cell : cells) {
    Json row{{"type", cell.type}, {"length", cell.length}};
    if (cell.cost) {
      row.update(cost_json(*cell.cost));
      row["tokens_per_second"] =
          1e3 * static_cast<double>(args.batch * cell.length) / cell.cost->forward_ms;
    } else {
      row["fault"] = cell.fault;
    }
    row["times_explicit"] = number_or_null(times_explicit(cells, cell));
    json["cells"].push_back(row);
  }
  for (const auto& type : args.types) {
    Json row{{"type", type}, {"lengths", fitted_lengths(args)}};
    for (std::size_t i = 0; i < kGrowing; ++i) {
      row[kQuantities[i].key] = number_or_null(growth(args, cells, type, kQuantities[i]));
    }
    json["growth"].push_back(row);
  }
  return json;
}

/// What the patterns among the types look at; empty without any.
std::string patterns_text(const BenchAttentionArgs& args) {
  const auto measured = [&](const char* type) {
    return std::ranges::find(args.types, type) != args.types.end();
  };
  const bool bigbird = measured("bigbird");
  const bool global = bigbird || measured("longformer");
  if (!global && !measured("window")) return {};
  const config::Attention usual;
  auto text = fmt::format("window {}", args.window);
  if (global) text += fmt::format(" · global: {}", fmt::join(bench::kBenchGlobals, ", "));
  if (bigbird) text += fmt::format(" · random {} · block {}", usual.random, usual.block);
  return text + "\n";
}

std::string report(const BenchAttentionArgs& args, const std::vector<Cell>& cells) {
  auto text = fmt::format("d_model {} · {} · batch {} · {} · {}\n", args.d_model,
                          counted(args.heads, "head"), args.batch, args.device,
                          counted(args.threads, "thread")) +
              patterns_text(args) + "\n";
  text += fmt::format("{:<12}{:>7}{:>12}{:>13}{:>12}{:>13}{:>10}\n", "type", "length", "forward",
                      "training", "forward", "training", "times");
  text += fmt::format("{:<12}{:>7}{:>12}{:>13}{:>12}{:>13}{:>10}\n", "", "", "ms", "ms", "MiB",
                      "MiB", "explicit");
  for (const auto& cell : cells) {
    text += fmt::format("{:<12}{:>7}", cell.type, cell.length);
    if (!cell.cost) {
      text += "  " + cell.fault + "\n";
      continue;
    }
    const auto& cost = *cell.cost;
    const auto times = times_explicit(cells, cell);
    text += fmt::format("{:>12.2f}{:>13.2f}{:>12}{:>13}{:>10}\n", cost.forward_ms, cost.training_ms,
                        mib(cost.forward_memory_mb), mib(cost.training_memory_mb),
                        times ? fmt::format("{:.2f}", *times) : "");
  }
  text += "\nMemory is what the layer takes at its peak beyond weights, input and output.\n";

  text += fmt::format("\nGrowth: b of cost = a · length^b, fitted over {}\n\n",
                      fmt::join(fitted_lengths(args), ", "));
  text += fmt::format("{:<12}{:>7}{:>12}{:>13}{:>12}{:>13}\n", "type", "", "forward", "training",
                      "forward", "training");
  text += fmt::format("{:<12}{:>7}{:>12}{:>13}{:>12}{:>13}\n", "", "", "time", "time", "memory",
                      "memory");
  for (const auto& type : args.types) {
    text += fmt::format("{:<12}{:>7}", type, "");
    for (std::size_t i = 0; i < kGrowing; ++i) {
      const auto b = growth(args, cells, type, kQuantities[i]);
      text += fmt::format("{:>{}}", b ? fmt::format("{:.2f}", *b) : "–", i % 2 == 0 ? 12 : 13);
    }
    text += "\n";
  }
  return text;
}

void bench_attention(BenchAttentionArgs args) {
  for (const auto& type : args.types) bench::check_attention_bench_type(type);
  if (args.d_model % args.heads != 0) {
    throw ConfigError(fmt::format("--heads: {} heads do not divide --d-model, which is {}",
                                  args.heads, args.d_model));
  }
  if (args.here) return measure_here(args);
  if (args.threads == 0) args.threads = torch::get_num_threads();
  args.device = pick_device(args.device).str();
  const auto cells = measure_all(args);
  OutputFile output("-");
  output.write(args.json ? report_json(args, cells).dump() + "\n" : report(args, cells));
  output.commit();
}

}  // namespace

void add_bench_attention(CLI::App& bench) {
  auto args = std::make_shared<BenchAttentionArgs>();
  auto* command = bench.add_subcommand("attention",
                                       "Time attention variants by length, with memory and growth");
  command->add_option("--lengths", args->lengths, "Tokens of a text, several with commas between")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 20))
      ->default_str(fmt::format("{}", fmt::join(args->lengths, ",")));
  command
      ->add_option("--types", args->types,
                   fmt::format("Variants, with commas between: {}; the first two are multi_head's",
                               fmt::join(bench::attention_bench_types(), ", ")))
      ->delimiter(',')
      ->default_str(fmt::format("{}", fmt::join(args->types, ",")));
  command->add_option("--d-model", args->d_model, "Width")
      ->check(CLI::Range(1, 1 << 16))
      ->capture_default_str();
  command->add_option("--heads", args->heads, "Heads")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--batch", args->batch, "Texts at once")
      ->check(CLI::Range(1, 1 << 16))
      ->capture_default_str();
  command->add_option("--window", args->window, "Keys a side, of window, longformer and bigbird")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command->add_option("--device", args->device, "cpu, cuda, cuda:N or auto")->capture_default_str();
  command->add_option("--threads", args->threads, "CPU threads; 0: one a core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object");
  command->add_flag("--here", args->here)->group("");  // one cell, in this process
  command->footer("Each cell is measured in a process of its own.");
  command->callback([args] { bench_attention(*args); });
}

}  // namespace heed::cli
