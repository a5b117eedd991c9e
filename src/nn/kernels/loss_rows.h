#pragma once

#include "base/torch.h"

namespace heed::nn {

/// The label-smoothed cross entropy of logits (fp32 or wider [N, V], contiguous). Its gradient
/// takes their place where `gradient` is set; without it their values are lost, too.
///
///   targets int64 [N]   smoothing: uniform mass over the vocabulary
///   -> fp64 [3], sums over the rows: loss, loss without smoothing, rows whose largest logit is the
///      target's
torch::Tensor loss_rows_(torch::Tensor& logits, const torch::Tensor& targets, double smoothing,
                         bool gradient);

}  // namespace heed::nn
