#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/json.h"
#include "config/model.h"
#include "inspect/attention_trace.h"

namespace heed::inspect {

/// One row of one head.
struct StepPlace {
  std::string kind = "encoder";  // encoder, decoder or cross
  int64_t layer = 0;
  int64_t head = 0;
  int64_t token = 0;  // row: a token of the source, or of the target it led to
};

/// What one token did in one head, number by number.
struct ExplainedStep {
  StepPlace place;
  std::string type;               // the variant at work: that of cross attention may be another
  std::string formula;            // of its scores
  std::string token;              // whose row it is
  std::string reads;              // "decoder" and "cross": the token that came in
  std::vector<std::string> keys;  // tokens that it may look at
  std::vector<std::string> why;   // of each key: why it is hidden, in a word; empty: it is seen
  std::string hidden;             // what those words mean; empty where nothing is hidden
  torch::Tensor query;            // [Dk]
  torch::Tensor key;              // [Tk, Dk]
  torch::Tensor value;            // [Tk, Dv]
  torch::Tensor products;         // [Tk], query · key; undefined where scores are no dot products
  torch::Tensor scores;           // [Tk], as they went into the weights; minus infinity: hidden
  torch::Tensor weights;          // [Tk]
  torch::Tensor context;          // [Dv], the sum of weight times value
  torch::Tensor contributions;    // [Tk], norm of weight times value
};

/// Reads one row out of a traced sentence. Throws ConfigError, naming the option, where there is no
/// such kind, layer, head or token.
ExplainedStep explain_step(const TracedSentence& sentence, const config::Model& model,
                           const text::Tokenizer& target_pieces, const StepPlace& place);

/// The steps in order, within 80 columns; of many keys those with most weight.
std::string explained(const ExplainedStep& step);

/// {"kind", "layer", "head", "token", "text", "input", "type", "formula", "keys", "query", "key",
/// "value", "hidden", "scores", "scaled_scores", "weights", "context", "contributions": [{"index",
/// "token", "weight", "norm", "vector"}], the largest first}. scores: query · key, null where they
/// are no dot products; scaled_scores: what goes into the weights, null where hidden; hidden: why,
/// in a word, null where the key is seen.
config::Json explained_json(const ExplainedStep& step);

}  // namespace heed::inspect
