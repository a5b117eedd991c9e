#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/torch.h"
#include "checkpoint/progress.h"
#include "config/run.h"
#include "model/classifier.h"
#include "model/encoder_decoder.h"
#include "text/tokenizer.h"

namespace heed::pipeline {

/// A finished (or running) training, opened for use: in eval mode, on a device.
struct Run {
  std::filesystem::path dir;
  std::filesystem::path checkpoint;  // its directory
  checkpoint::Progress progress;     // of the checkpoint
  config::Run config;
  text::Tokenizers tokenizers;
  std::vector<std::string> labels;                         // of a classifier, by id
  std::shared_ptr<model::EncoderDecoder> encoder_decoder;  // task translate
  std::shared_ptr<model::Classifier> classifier;           // task classify
  torch::Device device = torch::kCPU;
};

/// `checkpoint`: best, last, step-N or a path. Throws CheckpointError where `dir` is no run, a file
/// is damaged, or the vocabulary is not the one the model was trained with; ConfigError for the
/// device.
Run open_run(const std::filesystem::path& dir, const std::string& checkpoint,
             const std::string& device);

/// Throws ConfigError where the run's task is another than `task`; `command` begins the text.
void require_task(const Run& run, const std::string& task, const std::string& command);

/// Names the vocabularies and labels of a run, whatever their number: what Progress::vocabulary
/// holds.
std::string vocabulary(const text::Tokenizers& tokenizers,
                       const std::vector<std::string>& labels = {});

/// Two vocabularies of one size would otherwise go unnoticed and give wrong words, two orders of
/// labels wrong labels. Throws CheckpointError where `trained_with`, of `checkpoint`, names others
/// than those in `run`; an empty one fits all.
void require_vocabulary(const std::string& trained_with, const text::Tokenizers& tokenizers,
                        const std::vector<std::string>& labels, const std::filesystem::path& run,
                        const std::filesystem::path& checkpoint);

}  // namespace heed::pipeline
