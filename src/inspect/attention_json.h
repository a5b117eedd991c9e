#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "inspect/attention_trace.h"
#include "pipeline/run.h"

namespace heed::inspect {

/// Writes `heed.attention/1`, one sentence after the other, so that memory holds one at a time.
/// Strict JSON whatever a text holds; a number that is not finite is null.
///
/// {"format", "task", "run", "checkpoint", "model": {type, enc_layers, dec_layers, heads},
///  "sentences": [{"source": {text, tokens, ids, special, offsets, truncated; segments of pairs},
///    "target": {the same, input_tokens, input_ids, score, token_scores, at_limit} or null,
///    "prediction": {label, labels, probabilities} or null,
///    "attention": [{kind, layer, head, weights[q][k]}]}]}
class AttentionJson {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// Writes nothing before the first sentence is there, or the end.
  AttentionJson(Sink sink, const pipeline::Run& run);

  void add(const TracedSentence& sentence);
  void finish();  // the document is whole after it

 private:
  void write_attention(const model::Trace& trace);

  Sink sink_;
  std::string head_;  // of the document, until it is written
  bool pairs_;
  const text::Tokenizer& target_pieces_;
};

}  // namespace heed::inspect
