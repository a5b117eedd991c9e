#pragma once

#include <string>
#include <vector>

#include "nn/attention/attention.h"

namespace heed::model {

/// Attention as it happened: one entry a layer and kind, in the order of computation.
struct Trace {
  struct Layer {
    std::string kind;  // encoder, decoder or cross
    int64_t layer = 0;
    nn::AttentionParts parts;
  };
  std::vector<Layer> layers;

  /// Room for the parts of one more layer; the pointer holds until the next call.
  nn::AttentionParts* add(const std::string& kind, int64_t layer) {
    layers.push_back({kind, layer, {}});
    return &layers.back().parts;
  }
};

}  // namespace heed::model
