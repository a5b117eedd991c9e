#pragma once

#include "nn/attention/core.h"
#include "nn/dropout.h"

namespace heed::nn {

/// query . key, times `scale`, in fp32 (fp64 stays), whatever autocast wants: rounded to bf16,
/// scores near 30 are off by 0.1 and their weights by a tenth.
///
///   query [B, H, Tq, Dk]   key [B, H, Tk, Dk] -> [B, H, Tq, Tk]
torch::Tensor dot_scores(const torch::Tensor& query, const torch::Tensor& key, double scale);

/// What follows the scores, written plainly: the bias, softmax over what is visible, dropout, and
/// the weighted sum of values. Fills parts.
///
///   scores [B, H, Tq, Tk], fp32 or wider   allowed: bool, broadcasts to it; undefined = all
///   -> context [B, H, Tq, Dv]
///
/// places: of the weights, for dropout, where the queries are a part of all. A query that sees
/// nothing gets zeros: the formula alone gives NaN there, and a single NaN
/// reaches the gradient of every parameter.
torch::Tensor attend_explicitly(const CoreInput& input, torch::Tensor scores,
                                const torch::Tensor& allowed, const Dropout& dropout,
                                const DropoutPlaces& places = {});

/// The same with what the input says is visible.
torch::Tensor attend_explicitly(const CoreInput& input, torch::Tensor scores,
                                const Dropout& dropout);

/// Throws c10::Error when query and key differ in depth.
void check_depths(const CoreInput& input);

}  // namespace heed::nn
