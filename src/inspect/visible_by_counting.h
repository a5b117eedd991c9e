#pragma once

#include <string>
#include <utility>

#include "inspect/verify_subject.h"

/// What attention may look at, told by counting places and not by the code under test.
namespace heed::inspect {

/// Queries of a kind: ids [B, Tq], and how many are real [B]. A text that is pooled has one.
std::pair<torch::Tensor, torch::Tensor> queries_of(const std::string& kind, const Texts& texts);

/// bool [B, 1, Tq, Tk] by the rules of every variant: keys within the source; in the decoder, none
/// after the query.
torch::Tensor visible_by_counting(const std::string& kind, const Texts& texts);

/// The same [B, 1, Tq, Tk], of which a pattern leaves its window and its global tokens, wherever
/// they stand. Random keys are not among them.
torch::Tensor within_pattern(const Verified& verified, const std::string& kind, const Texts& texts);

/// The largest weight, [B, H, Tq, Tk], on a key that is hidden. Beside `within_pattern` the queries
/// of a block, in a head, may share as many keys as model.attention.random says, and under top_k a
/// query keeps so many at most: the weights beyond those count.
double hidden_weight(const Verified& verified, const std::string& kind, const Texts& texts,
                     const torch::Tensor& weights);

}  // namespace heed::inspect
