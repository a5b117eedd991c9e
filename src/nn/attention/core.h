#pragma once

#include "nn/attention/attention.h"

namespace heed::nn {

/// What a core reads: projected, and split into heads by the module around it.
struct CoreInput {
  torch::Tensor query;  // [B, H, Tq, Dk]
  torch::Tensor key;    // [B, H, Tk, Dk]
  torch::Tensor value;  // [B, H, Tk, Dv]
  Visible visible{};
  int64_t past = 0;  // position of the first query; keys stand at 0..Tk-1
  AttentionParts* parts = nullptr;
  const Noise* noise = nullptr;
};

/// The part of attention in which most variants differ: how queries are scored against keys, and
/// which keys a pattern leaves in. A module, because some bring parameters (a relative bias).
class AttentionCore : public torch::nn::Module {
 public:
  /// -> context [B, H, Tq, Dv], in the type of `value`
  virtual torch::Tensor forward(const CoreInput& input) = 0;
};

}  // namespace heed::nn
