#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/evaluation.h"
#include "config/run.h"
#include "data/growing_corpus.h"
#include "data/pairs.h"
#include "data/table.h"
#include "model/build.h"
#include "text/tokenizer.h"

namespace heed::cli {

/// All that a training reads, checked before it begins. Of a large corpus the first block of lines
/// is there, and the others come while the training runs.
struct TrainingData {
  text::Tokenizers tokenizers{};
  std::vector<std::string> labels{};             // of a classifier, by id
  std::string fingerprint{};                     // of the training files
  std::unique_ptr<data::GrowingCorpus> train{};  // to train on
  std::optional<EvaluationSet> valid{};          // where the config names one
  std::vector<std::string> remarks{};  // what is left out and why, for a person; what blocks to
                                       // come leave out is logged when they are there

  model::Sizes sizes(const config::Run& config) const;
  int64_t train_size() const;  // examples; while blocks are to come, lines
};

/// tokenizers and labels are those of `run` where given (a resumed run, whose whole corpus is
/// waited for), else made from the training text. Throws DataError, CheckpointError.
TrainingData read_training_data(const config::Run& config,
                                const std::optional<std::filesystem::path>& run);

/// Tokenizers made from the training text, prefixes included; `remarks` take what was left out.
/// The pairs come out as they went in.
text::Tokenizers make_tokenizers(const config::Run& config, data::Pairs& pairs,
                                 std::vector<std::string>& remarks);
text::Tokenizers make_tokenizers(const config::Run& config, const data::Table& table,
                                 std::vector<std::string>& remarks);

}  // namespace heed::cli
