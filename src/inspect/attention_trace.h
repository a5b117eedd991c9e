#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/trace.h"
#include "pipeline/labeler.h"
#include "pipeline/run.h"
#include "pipeline/translator.h"

namespace heed::inspect {

/// One side of a sentence as the model met it.
struct TracedText {
  std::string text;
  std::vector<text::Token> tokens{};  // EOS included; ranges are code points of `text`
  bool truncated = false;             // `text` has more tokens than the model read

  std::vector<int64_t> ids() const;
};

struct TracedTarget {
  TracedText text;
  double score = 0.0;  // sum of log p / length^length_penalty
  std::vector<double> token_scores{};
  bool at_limit = false;
};

struct TracedLabel {
  int64_t id = 0;
  std::string label;
  double probability = 0.0;
};

/// A sentence, its result, and all attention that gave it. A line of white space has no tokens, no
/// result and no attention.
struct TracedSentence {
  TracedText source;
  std::optional<TracedTarget> target{};
  std::vector<TracedLabel> prediction{};  // of a classifier, the most probable first
  model::Trace trace{};                   // a batch of one
};

/// One teacher-forced pass over the best of `result`, a translation of `line`, in which each token
/// sees what the caches of the search had kept for it. Throws std::logic_error where its scores are
/// not those of the search; where the caches rounded, these may be others, and the attention is
/// that of full precision.
TracedSentence trace_translation(const pipeline::Run& run, const std::string& line,
                                 const pipeline::Translation& result);

/// Where the two sides come from, for error texts.
struct Origins {
  pipeline::Origin source{};
  pipeline::Origin target{};
};

/// One teacher-forced pass over a given target, without caches. Lengths follow the run's
/// decode.overlong.
TracedSentence trace_target(const pipeline::Run& run, const std::string& line,
                            const std::string& target, const Origins& origins);

TracedSentence trace_label(const pipeline::Run& run, const std::string& line,
                           const pipeline::Origin& origin);

}  // namespace heed::inspect
