#include "checkpoint/average.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <spdlog/fmt/fmt.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "checkpoint/directory.h"

namespace fs = std::filesystem;

namespace heed::checkpoint {
namespace {

torch::Tensor mean_of(const std::vector<NamedTensors>& models, const std::string& name) {
  const auto& last = models.back().at(name);
  if (!last.is_floating_point()) return last;
  auto sum = torch::zeros(last.sizes(), torch::kFloat64);
  for (const auto& model : models) sum += model.at(name).to(torch::kFloat64);
  return (sum / static_cast<double>(models.size())).to(last.scalar_type());
}

/// Throws where the models are not of one kind.
void check_alike(const std::vector<NamedTensors>& models) {
  for (const auto& model : models) {
    for (const auto& [name, tensor] : models.back()) {
      const auto found = model.find(name);
      if (found != model.end() && found->second.sizes() == tensor.sizes()) continue;
      throw CheckpointError(fmt::format("'{}' is not of the same shape in all checkpoints", name));
    }
    if (model.size() == models.back().size()) continue;
    throw CheckpointError("the checkpoints hold different tensors");
  }
}

}  // namespace

NamedTensors average(const std::vector<NamedTensors>& models) {
  if (models.empty()) throw std::logic_error("an average of nothing");
  check_alike(models);
  NamedTensors averaged;
  for (const auto& [name, tensor] : models.back()) averaged[name] = mean_of(models, name);
  return averaged;
}

fs::path average_last(const fs::path& run, int64_t count) {
  require_run(run);
  const auto steps = saved_steps(run);
  if (count == 0) count = std::max<int64_t>(std::ssize(steps), 1);
  if (std::ssize(steps) < count) {
    throw CheckpointError(fmt::format("{}: holds {}, fewer than the {} to average", run.string(),
                                      counted(std::ssize(steps), "checkpoint"), count));
  }
  std::vector<NamedTensors> models;
  for (auto step = steps.end() - count; step != steps.end(); ++step) {
    models.push_back(load(step_directory(run, *step), /*with_optimizer=*/false).model);
  }
  const auto newest = step_directory(run, steps.back());
  const auto config = config::parse_run(read_file(newest / "config.json"), newest.string());
  const auto dir = run / "checkpoints" / fmt::format("average-{:06}-{}", steps.back(), count);
  save(dir, {.model = average(models), .optimizer = {}, .progress = load_progress(newest)}, config,
       Existing::kReplace);
  return dir;
}

}  // namespace heed::checkpoint
