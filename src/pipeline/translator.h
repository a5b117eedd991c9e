#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/decode.h"
#include "model/encoder_decoder.h"
#include "pipeline/overlong.h"
#include "pipeline/run.h"
#include "pipeline/workers.h"
#include "text/tokenizer.h"

namespace heed::pipeline {

/// The answers to one line.
struct Translation {
  struct Candidate {
    std::string text;                  // one line
    std::vector<int64_t> ids;          // EOS included, unless it hit the limit
    std::vector<double> token_scores;  // log p of each
    double score = 0.0;                // sum of log p / length^length_penalty
    bool at_limit = false;
  };  // of a line read in parts: all of them joined
  EncodedLine source;
  std::vector<Candidate> best;  // n_best at most, best first; none for a line of white space

  std::string text() const { return best.empty() ? std::string() : best.front().text; }
};

/// Raw text -> translations. Many lines at once are sorted by length, put in batches and shared
/// among workers; results keep the order of the lines and don't depend on any of that.
class Translator {
 public:
  /// What translates. A model in training may be used between two steps: nothing is dropped.
  struct Parts {
    std::shared_ptr<model::EncoderDecoder> model;
    text::Tokenizers tokenizers;
    torch::Device device = torch::kCPU;
    config::Data data{};  // max_len and prefixes count
    Progress done{};
  };

  /// workers: 0 = one a thread on the CPU. Throws ConfigError where options don't fit together.
  Translator(Parts parts, const config::Decode& options, int64_t workers = 0);
  Translator(const Run& run, const config::Decode& options, int64_t workers = 0,
             Progress done = {});

  /// One result a line, in order. Throws DataError naming the first line that is too long, where
  /// decode.overlong is error.
  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const Origin& origin = {}) const;

 private:
  std::vector<Translation> translate_each(const std::vector<std::string>& lines,
                                          const LengthRule& rule, const Origin& origin) const;
  void translate_batch(const std::vector<EncodedLine>& lines, const std::vector<int64_t>& places,
                       std::vector<Translation>& out) const;
  int64_t limit(const EncodedLine& line) const;

  Parts parts_;
  SourceReader reader_;
  config::Decode options_;
  int64_t workers_;
};

}  // namespace heed::pipeline
