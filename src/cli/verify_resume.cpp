#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "checkpoint/directory.h"
#include "cli/child_process.h"
#include "cli/commands.h"
#include "cli/load_config.h"
#include "config/json.h"

namespace fs = std::filesystem;

namespace heed::cli {
namespace {

struct VerifyResumeArgs {
  std::string config;
  std::vector<std::string> edits;
  int64_t steps = 20;
  std::string device = "auto";
  int threads = 0;
};

/// A new directory that goes with everything in it.
class Scratch {
 public:
  Scratch() {
    auto name = (fs::temp_directory_path() / "heed-verify-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(name + ": cannot be made");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// What must be equal of two trainings that are one.
struct Outcome {
  std::string model, optimizer;     // checksums
  std::vector<std::string> losses;  // step, loss and norm of each update

  bool operator==(const Outcome&) const = default;
};

std::vector<std::string> command(const VerifyResumeArgs& args, const fs::path& run) {
  std::vector<std::string> words{"train", args.config, "--run", run.string()};
  auto edits = args.edits;
  edits.push_back(fmt::format("train.max_steps={}", args.steps));
  for (const auto* edit : {"train.max_epochs=0", "train.max_seconds=0", "train.patience=0",
                           "checkpoint.every=1", "log.every=1"}) {
    edits.emplace_back(edit);
  }
  for (const auto& edit : edits) {
    words.emplace_back("--set");
    words.push_back(edit);
  }
  words.insert(words.end(), {"--device", args.device, "--threads", std::to_string(args.threads)});
  return words;
}

/// Lines of updates so far.
std::vector<config::Json> updates(const fs::path& run) {
  std::vector<config::Json> out;
  std::ifstream lines(run / "metrics.jsonl");
  for (std::string line; std::getline(lines, line);) {
    const auto json = config::Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (json.is_object() && json.value("event", "") == "step") out.push_back(json);
  }
  return out;
}

Outcome outcome_of(const fs::path& run) {
  const auto dir = checkpoint::find(run, "last");
  Outcome outcome{.model = checksum_of_file(dir / "model.safetensors"),
                  .optimizer = checksum_of_file(dir / "optimizer.safetensors"),
                  .losses = {}};
  for (const auto& update : updates(run)) {
    outcome.losses.push_back(fmt::format("{} {} {}", update["step"].dump(), update["loss"].dump(),
                                         update["grad_norm"].dump()));
  }
  return outcome;
}

void require_done(ChildProcess& training, const fs::path& output) {
  if (const int status = training.wait(); status != 0) {
    auto said = read_file(output);
    said = said.substr(0, said.find_last_not_of('\n') + 1);
    const auto line = said.substr(said.rfind('\n') + 1);
    throw Error(fmt::format("the training itself ends with {}: {}", status, line));
  }
}

/// The step at which the training was killed.
int64_t train_and_kill(const VerifyResumeArgs& args, const fs::path& run, const fs::path& output) {
  ChildProcess training(command(args, run), output);
  while (training.running()) {
    const auto done = updates(run);
    if (std::ssize(done) >= std::max<int64_t>(args.steps / 2, 1)) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  training.kill();
  training.wait();
  return std::ssize(updates(run));
}

void report(const char* what, const Outcome& outcome) {
  log::info(fmt::format("{:<9}{} updates · model {} · optimizer {}", what, outcome.losses.size(),
                        outcome.model.substr(0, 12), outcome.optimizer.substr(0, 12)));
}

void verify_resume(const VerifyResumeArgs& args) {
  load_config(args.config, args.edits);  // its faults are told here, not by a child
  const Scratch scratch;
  const auto output = scratch / "output";
  {
    ChildProcess straight(command(args, scratch / "straight"), output);
    require_done(straight, output);
  }
  const auto straight = outcome_of(scratch / "straight");
  report("straight", straight);

  const auto killed = train_and_kill(args, scratch / "killed", output);
  auto again = command(args, scratch / "killed");
  again.emplace_back("--resume");
  ChildProcess resumed(again, output);
  require_done(resumed, output);
  const auto together = outcome_of(scratch / "killed");
  log::info(
      fmt::format("killed   by SIGKILL after {} updates, resumed by another process", killed));
  report("resumed", together);

  OutputFile result("-");
  if (straight != together) {
    throw Error(fmt::format("the resumed training is another one: {} differ",
                            straight.losses != together.losses ? "losses"
                            : straight.model != together.model ? "weights"
                                                               : "optimizer states"));
  }
  result.write_line("equal    weights, optimizer state and losses, bit for bit");
  result.commit();
}

}  // namespace

void add_verify_resume(CLI::App& app) {
  auto args = std::make_shared<VerifyResumeArgs>();
  auto* command = app.add_subcommand(
      "verify-resume", "Train, kill and resume, and compare with a training that never stopped");
  command->add_option("config", args->config, "JSON file of a training")->required();
  command
      ->add_option("--set", args->edits,
                   "Change the config, as in --set train.lr=3e-4; may come more than once")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--steps", args->steps, "Updates of each training")
      ->check(CLI::Range(2, 100'000))
      ->capture_default_str();
  command->add_option("--device", args->device, "cpu, cuda, cuda:N or auto")->capture_default_str();
  command->add_option("--threads", args->threads, "CPU threads; 0: one a core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->callback([args] { verify_resume(*args); });
}

}  // namespace heed::cli
