#pragma once

#include "base/torch.h"

namespace heed::decode {

/// What search needs of a model: the next token's log-probabilities for every open hypothesis, and
/// a state that can be re-arranged. Tests search stubs whose best answer is known.
class Scorer {
 public:
  virtual ~Scorer() = default;

  virtual int64_t vocabulary() const = 0;

  /// ids int64 [rows], the last token of each hypothesis -> log p [rows, V], fp32
  virtual torch::Tensor next(const torch::Tensor& ids) = 0;

  /// As DecoderState::select.
  virtual void select(const torch::Tensor& rows, const torch::Tensor& memory_rows) = 0;
};

}  // namespace heed::decode
