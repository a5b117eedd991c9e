#include "cli/run_directory.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "config/fields.h"

namespace fs = std::filesystem;

namespace heed::cli {
namespace {

/// config.json last: as long as it is there, the directory is known to be a run.
constexpr std::array kWritten = {"checkpoints", "tokenizer",     "labels.json",   "best.json",
                                 "last.json",   "metrics.jsonl", "weights.jsonl", "card.json",
                                 "tensorboard", "train.log",     "config.json"};

/// Fixed for the life of a run, but for what changes no shape and no meaning of a weight.
constexpr std::array<std::string_view, 8> kFixed = {"task",
                                                    "tokenizer",
                                                    "model",
                                                    "data.max_len",
                                                    "data.label",
                                                    "data.second",
                                                    "data.source_prefix",
                                                    "data.target_prefix"};
constexpr std::array<std::string_view, 5> kFree = {"model.dropout", "model.attention.dropout",
                                                   "model.attention.impl", "model.position_scaling",
                                                   "model.position_factor"};

bool is_run(const fs::path& run) { return fs::exists(run / "config.json"); }

struct Change {
  std::string path;
  std::string before;
  std::string after;
};

void compare(const config::Json& before, const config::Json& after, const std::string& path,
             std::vector<Change>& out) {
  if (before.is_object() && after.is_object()) {
    for (const auto& item : after.items()) {
      const auto found = before.find(item.key());
      const auto old = found == before.end() ? config::Json() : *found;
      compare(old, item.value(), config::join(path, item.key()), out);
    }
  } else if (before != after) {
    out.push_back({.path = path, .before = before.dump(), .after = after.dump()});
  }
}

std::vector<Change> changes_of(const config::Run& before, const config::Run& after) {
  std::vector<Change> changes;
  compare(config::dump(before), config::dump(after), "", changes);
  return changes;
}

bool within(const std::string& path, std::string_view section) {
  return path == section || path.starts_with(std::string(section) + ".");
}

}  // namespace

ClaimedRun::ClaimedRun(const fs::path& run) {
  if (fs::exists(run) && !fs::is_directory(run)) {
    throw ConfigError(fmt::format("--run: {} is a file; name a directory", run.string()));
  }
  if (const auto lock = checkpoint::RunLock::file(run); !fs::exists(lock)) made_.push_back(lock);
  for (auto dir = fs::absolute(run).lexically_normal(); !fs::exists(dir); dir = dir.parent_path()) {
    made_.push_back(dir);
  }
  fs::create_directories(run);
  lock_.emplace(run);
}

ClaimedRun::~ClaimedRun() {
  std::error_code ignored;
  for (const auto& path : made_) fs::remove(path, ignored);  // a directory only where it is empty
}

void check_run_directory(const fs::path& run, Existing existing) {
  for (const auto* name : kWritten) {
    if (is_run(run) || !fs::exists(run / name)) continue;
    throw ConfigError(fmt::format(
        "--run: {} is no run, but holds a {} that a training would replace; name another directory",
        run.string(), name));
  }
  if (existing == Existing::kRefuse && is_run(run)) {
    throw ConfigError(fmt::format(
        "--run: {} holds a run already; add --resume to go on with it, --overwrite to begin anew, "
        "or name another with --run",
        run.string()));
  }
  if (existing == Existing::kResume && !is_run(run)) {
    throw ConfigError(
        fmt::format("--resume: {} holds no run; leave --resume out to begin one", run.string()));
  }
}

void clear_run_directory(const fs::path& run) {
  for (const auto* name : kWritten) fs::remove_all(run / name);
}

std::vector<std::string> config_changes(const config::Run& before, const config::Run& after) {
  std::vector<std::string> lines;
  for (const auto& [path, old, now] : changes_of(before, after)) {
    lines.push_back(fmt::format("{}: {} -> {}", path, old, now));
  }
  return lines;
}

void check_resumable(const config::Run& before, const config::Run& after) {
  const bool stretched = before.model.position_factor != after.model.position_factor;
  for (const auto& [path, old, now] : changes_of(before, after)) {
    const auto holds = [&path = path](std::string_view section) { return within(path, section); };
    if (stretched && path == "data.max_len") continue;  // positions are scaled to longer texts
    if (std::ranges::none_of(kFixed, holds) || std::ranges::any_of(kFree, holds)) continue;
    throw ConfigError(fmt::format(
        "{}: is {}, but the run to resume has {}; set it back, or begin a new run with --overwrite "
        "or --run",
        path, now, old));
  }
}

}  // namespace heed::cli
