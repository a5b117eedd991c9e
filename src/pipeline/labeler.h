#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/decode.h"
#include "model/classifier.h"
#include "pipeline/overlong.h"
#include "pipeline/run.h"
#include "pipeline/workers.h"
#include "text/tokenizer.h"

namespace heed::pipeline {

/// The labels of one line.
struct Labeling {
  EncodedLine source;
  std::vector<double> probabilities;  // by label; empty for a line of white space

  std::vector<int64_t> ranked() const;  // labels, the most probable first; equal ones by id
};

/// Raw text -> labels, many lines at once, as Translator does it.
class Labeler {
 public:
  struct Parts {
    std::shared_ptr<model::Classifier> model;
    text::Tokenizers tokenizers;
    torch::Device device = torch::kCPU;
    config::Data data{};  // max_len and second count
    Progress done{};
  };

  /// Of the options only batch_size and overlong count. workers: 0 = one a thread on the CPU.
  Labeler(Parts parts, const config::Decode& options, int64_t workers = 0);
  Labeler(const Run& run, const config::Decode& options, int64_t workers = 0, Progress done = {});

  /// One result a line, in order. Throws as Translator::translate does.
  std::vector<Labeling> label(const std::vector<std::string>& lines,
                              const Origin& origin = {}) const;

 private:
  std::vector<Labeling> label_each(const std::vector<std::string>& lines, const LengthRule& rule,
                                   const Origin& origin) const;

  Parts parts_;
  SourceReader reader_;
  config::Decode options_;
  int64_t workers_;
};

/// softmax in fp32 of logits [B, classes] -> [B, classes], on the CPU
torch::Tensor label_probabilities(const torch::Tensor& logits);

}  // namespace heed::pipeline
