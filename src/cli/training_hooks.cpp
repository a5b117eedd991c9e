#include "cli/training_hooks.h"

#include <optional>

#include "checkpoint/directory.h"
#include "inspect/attention_health.h"
#include "train/due.h"
#include "train/micro_batches.h"

namespace fs = std::filesystem;

namespace heed::cli {
namespace {

/// The run and the model as the newest checkpoint has them; none where there is none.
std::optional<checkpoint::Checkpoint> roll_back(const fs::path& run, TrainingTask& task,
                                                TrainingLog& log) {
  const auto steps = checkpoint::saved_steps(run);
  if (steps.empty()) return std::nullopt;
  const auto dir = checkpoint::step_directory(run, steps.back());
  auto saved = checkpoint::load(dir, /*with_optimizer=*/true);
  checkpoint::load_into(task.objective->module(), saved.model,
                        (dir / "model.safetensors").string());
  log.rolled_back(saved.progress.step);
  return saved;
}

}  // namespace

data::Batch probe_of(const TrainingData& data, train::BatchSource& source) {
  constexpr int64_t kSentences = 8;
  const auto batch = data.valid ? data.valid->batches[data.valid->batches.size() / 2]
                                : source.batch(/*epoch=*/0, /*index=*/0);
  const int64_t parts = (batch.size() + kSentences - 1) / kSentences;
  return train::split(batch, parts).front();
}

train::Hooks make_hooks(const fs::path& run, const config::Run& config, const TrainingData& data,
                        TrainingTask& task, const data::Batch& probe, torch::Device device,
                        train::Saver& saver, TrainingLog& log) {
  train::Hooks hooks;
  hooks.step = [&log, &task, &probe, device,
                every = config.log.watch_every](const train::StepReport& report) {
    log.step(report);
    if (report.skipped || !train::due(report.step, every)) return;
    log.watched(report.step, task.encoder_decoder
                                 ? inspect::attention_health(*task.encoder_decoder, probe, device)
                                 : inspect::attention_health(*task.classifier, probe, device));
  };
  hooks.save = [&](const checkpoint::Checkpoint& checkpoint) {
    saver.save(checkpoint);
    log.saved(checkpoint);
  };
  hooks.note = [&log](const std::string& message) { log.note(message); };
  hooks.roll_back = [&run, &task, &log]() { return roll_back(run, task, log); };
  hooks.last_checkpoint = [&saver] { return saver.last(); };
  if (!data.valid) return hooks;
  hooks.evaluate = [&, device](const checkpoint::Progress& progress) -> std::optional<double> {
    const auto scores = validate(config, data, task, device);
    if (!scores) return std::nullopt;
    log.evaluated(progress.step, *scores);
    return chosen_score(*scores, config);
  };
  return hooks;
}

}  // namespace heed::cli
