#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/model.h"
#include "data/batch.h"
#include "model/classifier.h"
#include "model/encoder_decoder.h"

namespace heed::inspect {

/// How one head attends, mean over the real queries of some sentences. What a query can't see is
/// nowhere in it; queries that see fewer than two keys have no entropy and count for none.
struct HeadHealth {
  std::string kind;  // encoder, decoder or cross
  int64_t layer = 0;
  int64_t head = 0;
  double entropy = 0.0;   // over that of even weights: 1 looks at everything alike, 0 at one key
  double diagonal = 0.0;  // weight on the key at the query's own place
  double first = 0.0;     // weight on the first key
  double end = 0.0;       // weight on the last real key
  double padding = 0.0;   // weight behind it: always 0
  double largest = 0.0;   // largest weight
  double one_key = 0.0;   // weight on the key that all queries of a sentence prefer together
};

/// One teacher-forced pass without dropout over `batch`, which is on the CPU; its heads in the
/// order of computation.
std::vector<HeadHealth> attention_health(model::EncoderDecoder& model, const data::Batch& batch,
                                         torch::Device device);
std::vector<HeadHealth> attention_health(model::Classifier& model, const data::Batch& batch,
                                         torch::Device device);

struct AttentionWarning {
  std::string about;  // the same for the same trouble: "encoder even", "cross one key"
  std::string text;   // what it is, and what to check
};

/// Heads that are near even, and heads whose queries all look at one key; none where fewer than
/// half of a kind's heads are concerned. config: of the model, whose keys the texts name
std::vector<AttentionWarning> attention_warnings(const std::vector<HeadHealth>& heads,
                                                 const config::Model& config);

}  // namespace heed::inspect
