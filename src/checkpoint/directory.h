#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/progress.h"
#include "checkpoint/safetensors.h"
#include "config/run.h"

namespace heed::checkpoint {

/// Throws CheckpointError where `dir` is no directory of a run, saying what it is.
void require_run(const std::filesystem::path& dir);

/// What a checkpoint holds. checkpoints/step-000500/ = model.safetensors, optimizer.safetensors,
/// state.json, config.json, MANIFEST.json (size and checksum of each).
struct Checkpoint {
  NamedTensors model;
  NamedTensors optimizer;  // empty where not asked for, or averaged
  Progress progress;
};

/// What becomes of a checkpoint that is there already.
enum class Existing { kRefuse, kReplace };

/// Fills a sibling directory and renames it last, so that a reader finds a whole checkpoint or
/// none. Throws CheckpointError where `dir` exists and is not to be replaced,
/// std::filesystem::filesystem_error where the file system refuses; an old checkpoint stays then,
/// and nothing of the new one.
void save(const std::filesystem::path& dir, const Checkpoint& checkpoint, const config::Run& config,
          Existing existing = Existing::kRefuse);

/// Removes what a kill during a save left. For the one process that trains in `run`.
void remove_partials(const std::filesystem::path& run);

/// Verifies size and checksum of all that it reads first. Throws CheckpointError naming the damaged
/// file.
Checkpoint load(const std::filesystem::path& dir, bool with_optimizer);

/// state.json alone. Throws as load does.
Progress load_progress(const std::filesystem::path& dir);

/// "best", "last", "step-500" or a path (also one inside checkpoints/) -> the directory of a
/// checkpoint of `run`. The last is the newest one that is whole; it is also the best one of a run
/// without evaluations. Throws CheckpointError, saying which there are.
std::filesystem::path find(const std::filesystem::path& run, const std::string& which);

/// checkpoints/step-000500
std::filesystem::path step_directory(const std::filesystem::path& run, int64_t step);

/// Steps that are saved whole, ascending.
std::vector<int64_t> saved_steps(const std::filesystem::path& run);

/// Forgets every checkpoint after `step`, which then is the last one: the training goes on from
/// there. best.json points to `best_step`, or is gone where that is 0 or no longer there.
void roll_back(const std::filesystem::path& run, int64_t step, int64_t best_step,
               double best_score);

/// Points best.json or last.json at a step. score: what it was chosen by, absent for "last".
void point(const std::filesystem::path& run, const std::string& which, int64_t step,
           std::optional<double> score);

/// Removes checkpoints beyond `keep_last`, never those best.json and last.json point to, nor the
/// `keep_best` of highest score.
void prune(const std::filesystem::path& run, int64_t keep_last, int64_t keep_best);

}  // namespace heed::checkpoint
