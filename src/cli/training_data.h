#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/evaluation.h"
#include "config/run.h"
#include "data/batch.h"
#include "model/build.h"
#include "text/tokenizer.h"

namespace heed::cli {

/// All that a training reads, read and checked before it begins.
struct TrainingData {
  text::Tokenizers tokenizers{};
  std::vector<std::string> labels{};      // of a classifier, by id
  std::vector<data::Example> examples{};  // to train on
  std::optional<EvaluationSet> valid{};   // where the config names one
  std::vector<std::string> remarks{};     // what is left out and why, for a person

  model::Sizes sizes(int64_t max_len) const;
};

/// tokenizers and labels are those of `run` where given (a resumed run), else made from the
/// training text. Throws DataError, CheckpointError.
TrainingData read_training_data(const config::Run& config,
                                const std::optional<std::filesystem::path>& run);

}  // namespace heed::cli
