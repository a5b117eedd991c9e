#pragma once

#include "inspect/verify_check.h"
#include "inspect/verify_subject.h"

/// Checks of a fresh model of the same config.
namespace heed::inspect {

/// Spread of the scores that go into softmax, over all layers of a fresh model: above 5 softmax
/// starts out saturated.
Check check_model_score_std(const Verified& verified);

/// The same of one attention whose input has unit variance, where the value to expect follows from
/// the init scheme; within half and twice that.
Check check_score_std(const Verified& verified);

/// The smallest distance between like tensors of two layers of a fresh model: no layer is a copy.
Check check_layers_differ(const Verified& verified);

/// Likewise between the query, key and value projections of an attention.
Check check_projections_differ(const Verified& verified);

/// A fresh attention of one head, without positions, gives what its own weights give by the plain
/// formula.
Check check_single_head(const Verified& verified);

}  // namespace heed::inspect
