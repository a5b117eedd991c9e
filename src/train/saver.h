#pragma once

#include <filesystem>
#include <string>

#include "checkpoint/directory.h"
#include "config/run.h"

namespace heed::train {

/// Keeps the checkpoints of a run: saves, points best.json and last.json, prunes.
class Saver {
 public:
  Saver(std::filesystem::path run, config::Run config);

  /// Does not save a step a second time. Throws DivergenceError where a tensor is not finite, and
  /// what checkpoint::save throws.
  void save(const checkpoint::Checkpoint& checkpoint);

  /// The newest checkpoint of the run, for error texts; "none" where nothing is saved yet.
  std::string last() const;

 private:
  std::filesystem::path run_;
  config::Run config_;
};

}  // namespace heed::train
