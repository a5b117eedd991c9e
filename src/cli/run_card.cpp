#include "cli/run_card.h"

#include <fstream>

#include <ATen/Parallel.h>
#include <spdlog/fmt/fmt.h>
#include <torch/version.h>

#include "base/files.h"
#include "config/fields.h"
#include "train/precision.h"

namespace heed::cli {
namespace {

/// As the system calls it; empty where it doesn't say.
std::string cpu_name() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    return colon == line.npos ? std::string() : line.substr(colon + 2);
  }
  return {};
}

}  // namespace

void write_run_card(const std::filesystem::path& run, const config::Run& config,
                    const std::string& fingerprint, torch::Device device) {
  const auto precision = train::pick_precision(config.train.precision, device);
  const config::Json card{{"heed", HEED_VERSION},
                          {"libtorch", TORCH_VERSION},
                          {"device", device.str()},
                          {"cpu", cpu_name()},
                          {"threads", at::get_num_threads()},
                          {"precision", train::precision_name(precision)},
                          {"seed", config.seed},
                          {"config", checksum(config::to_json(config))},
                          {"training files", fingerprint}};
  replace_file(run / "card.json", card.dump(2) + "\n");
}

}  // namespace heed::cli
