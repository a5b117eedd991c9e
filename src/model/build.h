#pragma once

#include <memory>
#include <vector>

#include "config/model.h"
#include "model/classifier.h"
#include "model/encoder_decoder.h"

namespace heed::model {

/// What a model takes from its data.
struct Sizes {
  int64_t source_pieces = 0;
  int64_t target_pieces = 0;          // 0 for a classifier
  int64_t classes = 0;                // 0 for a translator
  int64_t max_len = 0;                // tokens of a text; special tokens come on top
  std::vector<int64_t> global_ids{};  // of the source: model.attention.global_tokens
};

/// Freshly initialized from `seed`, in training mode, on the CPU. Throws ConfigError where config
/// and sizes don't fit (say, tied embeddings of vocabularies that aren't shared).
std::shared_ptr<EncoderDecoder> build_encoder_decoder(const config::Model& config,
                                                      const Sizes& sizes, uint64_t seed);
std::shared_ptr<Classifier> build_classifier(const config::Model& config, const Sizes& sizes,
                                             uint64_t seed);

}  // namespace heed::model
