#pragma once

#include "nn/attention/pattern.h"
#include "nn/dropout.h"

namespace heed::nn {

/// Scaled dot-product attention under a pattern, block by block (nn/kernels/blocked_attention.h):
/// no [Tq, Tk] tensor, so time and memory grow with what a query sees. The queries that see all
/// are computed apart, by the plain formula.
///
/// It equals softmax over pattern_mask, dropout included. With a bias that is trained it keeps one
/// for each place that a block can have. Every key of the input stands at its own position (no
/// `kept`).
///
///   at_once: queries of a block   -> context [B, H, Tq, Dv]
torch::Tensor attend_in_blocks(const CoreInput& input, const Pattern& pattern, int64_t at_once,
                               const Dropout& dropout);

}  // namespace heed::nn
