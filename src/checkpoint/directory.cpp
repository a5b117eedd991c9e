#include "checkpoint/directory.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "base/files.h"
#include "checkpoint/manifest.h"
#include "config/fields.h"

namespace fs = std::filesystem;

namespace heed::checkpoint {
namespace {

using config::Json;

constexpr auto kModel = "model.safetensors";
constexpr auto kOptimizer = "optimizer.safetensors";
constexpr auto kState = "state.json";
constexpr auto kConfig = "config.json";
constexpr std::string_view kStep = "step-";
constexpr std::string_view kPartial = ".partial";

fs::path checkpoints(const fs::path& run) { return run / "checkpoints"; }

std::string step_name(int64_t step) { return fmt::format("step-{:06}", step); }

/// The N of "step-N".
std::optional<int64_t> step_of(std::string_view name) {
  if (!name.starts_with(kStep)) return std::nullopt;
  name.remove_prefix(kStep.size());
  int64_t step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  const bool whole = error == std::errc{} && end == name.data() + name.size() && step >= 0;
  return whole ? std::optional(step) : std::nullopt;
}

bool is_checkpoint(const fs::path& dir) {
  std::error_code ignored;
  return fs::is_regular_file(dir / kManifest, ignored);
}

void fill(const fs::path& dir, const Checkpoint& checkpoint, const config::Run& config) {
  fs::create_directory(dir);
  write_safetensors(dir / kModel, checkpoint.model);
  if (!checkpoint.optimizer.empty()) write_safetensors(dir / kOptimizer, checkpoint.optimizer);
  write_file(dir / kState, config::dump(checkpoint.progress).dump(2) + "\n");
  write_file(dir / kConfig, config::to_json(config));
  write_file(dir / kManifest, make_manifest(dir));
  sync_directory(dir);
}

/// Takes the name away first: a kill half-way must not leave what looks whole.
void remove_checkpoint(const fs::path& dir) {
  const fs::path partial = dir.string() + std::string(kPartial);
  fs::remove_all(partial);
  fs::rename(dir, partial);
  fs::remove_all(partial);
}

Json read_json(const fs::path& file) {
  try {
    return config::parse_json(read_file(file), file.string());
  } catch (const DataError& error) {
    throw CheckpointError(error.what());
  } catch (const ConfigError&) {
    throw CheckpointError(fmt::format("{}: damaged: no JSON", file.string()));
  }
}

Progress parse_progress(const fs::path& dir) {
  Progress progress;
  try {
    config::parse(read_json(dir / kState), "", progress);
  } catch (const ConfigError& error) {
    throw CheckpointError(fmt::format("{}: {}", (dir / kState).string(), error.what()));
  }
  return progress;
}

[[noreturn]] void throw_absent(const fs::path& run, const std::string& which) {
  std::vector<std::string> names;
  for (const int64_t step : saved_steps(run)) names.push_back(step_name(step));
  throw CheckpointError(
      fmt::format("{}: no checkpoint '{}'; there {}", run.string(), which,
                  names.empty() ? "is none" : fmt::format("are {}", fmt::join(names, ", "))));
}

fs::path pointer(const fs::path& run, const std::string& which) { return run / (which + ".json"); }

/// The step best.json points to, where there is one.
std::optional<int64_t> pointed_step(const fs::path& run, const std::string& which) {
  const auto file = pointer(run, which);
  if (!fs::exists(file)) return std::nullopt;
  const auto json = read_json(file);
  const auto step = json.is_object() ? json.find("step") : json.end();
  if (!json.is_object() || step == json.end() || !step->is_number_integer()) {
    throw CheckpointError(fmt::format("{}: damaged: must give a step", file.string()));
  }
  return step->get<int64_t>();
}

/// Where `which` says in a word where it lies; else nothing.
std::optional<fs::path> named_checkpoint(const fs::path& run, const std::string& which) {
  if (which == "best") {
    const auto step = pointed_step(run, "best");
    if (step) return step_directory(run, *step);
  }
  if (which == "best" || which == "last") {
    const auto steps = saved_steps(run);
    return steps.empty() ? std::nullopt : std::optional(step_directory(run, steps.back()));
  }
  const auto step = step_of(which);
  return step ? std::optional(step_directory(run, *step)) : std::nullopt;
}

/// Steps to keep for their score, best first.
std::vector<int64_t> best_steps(const fs::path& run, const std::vector<int64_t>& steps) {
  std::vector<std::pair<double, int64_t>> scored;  // the earlier of two equals counts as better
  for (const int64_t step : steps) {
    try {
      const auto progress = parse_progress(step_directory(run, step));
      if (progress.evaluated_step == step && step > 0) scored.emplace_back(-progress.score, step);
    } catch (const CheckpointError&) {
      continue;  // damaged: nobody's best
    }
  }
  std::ranges::sort(scored);
  std::vector<int64_t> best;
  for (const auto& [score, step] : scored) best.push_back(step);
  return best;
}

}  // namespace

void remove_partials(const fs::path& run) {
  if (!fs::is_directory(checkpoints(run))) return;
  std::vector<fs::path> partials;
  for (const auto& entry : fs::directory_iterator(checkpoints(run))) {
    if (entry.path().filename().string().ends_with(kPartial)) partials.push_back(entry.path());
  }
  for (const auto& partial : partials) fs::remove_all(partial);
}

void require_run(const fs::path& dir) {
  std::error_code ignored;
  const auto refuse = [&](const std::string& why) {
    throw CheckpointError(fmt::format("{}: {}", dir.string(), why));
  };
  if (!fs::exists(dir, ignored)) refuse("no such run; 'heed train' writes one");
  if (!fs::is_directory(dir, ignored)) {
    refuse("is no directory; a run is one, written by 'heed train'");
  }
  if (is_checkpoint(dir)) {
    refuse("is a checkpoint; name its run, and this with --checkpoint");
  }
  if (!fs::exists(dir / "config.json", ignored)) {
    refuse("is no run: it has no config.json; 'heed train' writes one");
  }
}

void save(const fs::path& dir, const Checkpoint& checkpoint, const config::Run& config,
          Existing existing) {
  if (existing == Existing::kRefuse && fs::exists(dir)) {
    throw CheckpointError(fmt::format("{}: already exists", dir.string()));
  }
  const auto parent = dir.parent_path();
  const fs::path partial = dir.string() + std::string(kPartial);
  if (fs::create_directories(parent)) sync_directory(parent.parent_path());
  fs::remove_all(partial);
  try {
    fill(partial, checkpoint, config);
    if (fs::exists(dir)) {  // the old one makes room last, under a name that is no checkpoint's
      const fs::path old = dir.string() + ".old" + std::string(kPartial);
      fs::remove_all(old);
      fs::rename(dir, old);
      fs::rename(partial, dir);
      fs::remove_all(old);
    } else {
      fs::rename(partial, dir);
    }
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(partial, ignored);
    throw;
  }
  sync_directory(parent);
}

Checkpoint load(const fs::path& dir, bool with_optimizer) {
  if (!fs::is_directory(dir)) {
    throw CheckpointError(fmt::format("{}: no such checkpoint", dir.string()));
  }
  const Manifest manifest(dir);
  const bool optimizer = with_optimizer && manifest.names(kOptimizer);
  for (const auto* file : {kModel, kState, kConfig}) manifest.verify(file);
  if (optimizer) manifest.verify(kOptimizer);

  Checkpoint checkpoint;
  checkpoint.model = read_safetensors(dir / kModel);
  if (optimizer) checkpoint.optimizer = read_safetensors(dir / kOptimizer);
  checkpoint.progress = parse_progress(dir);
  return checkpoint;
}

Progress load_progress(const fs::path& dir) {
  Manifest(dir).verify(kState);
  return parse_progress(dir);
}

fs::path find(const fs::path& run, const std::string& which) {
  const auto named = named_checkpoint(run, which);
  if (named && is_checkpoint(*named)) return *named;
  if (!named && !which.empty()) {
    for (const auto& dir : {checkpoints(run) / which, fs::path(which)}) {
      if (is_checkpoint(dir)) return dir;
    }
  }
  throw_absent(run, which);
}

fs::path step_directory(const fs::path& run, int64_t step) {
  return checkpoints(run) / step_name(step);
}

std::vector<int64_t> saved_steps(const fs::path& run) {
  std::vector<int64_t> steps;
  if (!fs::is_directory(checkpoints(run))) return steps;
  for (const auto& entry : fs::directory_iterator(checkpoints(run))) {
    const auto step = step_of(entry.path().filename().string());
    if (step && is_checkpoint(entry.path())) steps.push_back(*step);
  }
  std::ranges::sort(steps);
  return steps;
}

void point(const fs::path& run, const std::string& which, int64_t step,
           std::optional<double> score) {
  Json json{{"checkpoint", step_name(step)}, {"step", step}};
  if (score) json["score"] = *score;
  replace_file(pointer(run, which), json.dump(2) + "\n");
}

void roll_back(const fs::path& run, int64_t step, int64_t best_step, double best_score) {
  const bool best_stays = best_step > 0 && is_checkpoint(step_directory(run, best_step));
  if (best_stays && best_step <= step) {
    point(run, "best", best_step, best_score);
  } else {
    fs::remove(pointer(run, "best"));
  }
  auto steps = saved_steps(run);
  std::ranges::reverse(steps);  // newest first: a kill half-way leaves no gap
  for (const int64_t saved : steps) {
    if (saved > step) remove_checkpoint(step_directory(run, saved));
  }
  point(run, "last", step, std::nullopt);
}

void prune(const fs::path& run, int64_t keep_last, int64_t keep_best) {
  const auto steps = saved_steps(run);
  std::set<int64_t> kept;
  const auto first_kept = std::max<int64_t>(0, std::ssize(steps) - keep_last);
  kept.insert(steps.begin() + first_kept, steps.end());
  for (const int64_t step : best_steps(run, steps)) {
    if (keep_best-- <= 0) break;
    kept.insert(step);
  }
  for (const auto* which : {"best", "last"}) {
    if (const auto step = pointed_step(run, which)) kept.insert(*step);
  }
  for (const int64_t step : steps) {
    if (!kept.contains(step)) remove_checkpoint(step_directory(run, step));
  }
}

}  // namespace heed::checkpoint
