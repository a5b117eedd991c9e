#pragma once

#include <filesystem>

#include "cli/training_data.h"
#include "cli/training_log.h"
#include "cli/training_task.h"
#include "data/batch.h"
#include "train/saver.h"
#include "train/trainer.h"

namespace heed::cli {

/// A few sentences of middle length on which attention is watched, the same throughout a run.
data::Batch probe_of(const TrainingData& data, train::BatchSource& source);

/// What wires trainer, evaluation, files and log together. All that is handed in outlives it.
train::Hooks make_hooks(const std::filesystem::path& run, const config::Run& config,
                        const TrainingData& data, TrainingTask& task, const data::Batch& probe,
                        torch::Device device, train::Saver& saver, TrainingLog& log);

}  // namespace heed::cli
